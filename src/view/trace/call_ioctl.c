// SPDX-License-Identifier: MIT
/* What commands of ioctl point to: terminals, network interfaces, descriptors, perf events, files.
 */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <string.h>

#define NAME_SIZE 16 /* IFNAMSIZ */

enum ioctl_arg_form {
	ARG_NUMBER,   /* an int or long, by .size */
	ARG_FD,	      /* the argument itself */
	ARG_FLUSH,    /* the argument itself */
	ARG_FLOW,     /* the argument itself */
	ARG_PLAIN,    /* the argument itself, a number */
	ARG_FLAGS,    /* of a file */
	ARG_TERMINAL, /* struct termios */
	ARG_WINDOW,   /* struct winsize */
	ARG_IFREQ_NUMBER,
	ARG_IFREQ_FLAGS,
	ARG_IFREQ_ADDRESS,
	ARG_IFREQ_HARDWARE,
};
enum ioctl_arg_way { TAKES, GIVES }; /* who fills the memory: the caller, or the kernel */

struct ioctl_arg {
	uint32_t command;
	uint8_t form, way;
	uint8_t size;	  /* ARG_NUMBER */
	const char *name; /* the member of a struct ifreq */
};
/* Values: <asm-generic/ioctls.h>, <linux/sockios.h>, <linux/fs.h>, <linux/perf_event.h>. */
static const struct ioctl_arg ioctl_args[] = {
	{0x5401, ARG_TERMINAL, GIVES},	/* TCGETS */
	{0x5402, ARG_TERMINAL, TAKES},	/* TCSETS */
	{0x5403, ARG_TERMINAL, TAKES},	/* TCSETSW */
	{0x5404, ARG_TERMINAL, TAKES},	/* TCSETSF */
	{0x5409, ARG_PLAIN, TAKES},	/* TCSBRK */
	{0x540a, ARG_FLOW, TAKES},	/* TCXONC */
	{0x540b, ARG_FLUSH, TAKES},	/* TCFLSH */
	{0x540e, ARG_PLAIN, TAKES},	/* TIOCSCTTY */
	{0x540f, ARG_NUMBER, GIVES, 4}, /* TIOCGPGRP */
	{0x5410, ARG_NUMBER, TAKES, 4}, /* TIOCSPGRP */
	{0x5411, ARG_NUMBER, GIVES, 4}, /* TIOCOUTQ */
	{0x5413, ARG_WINDOW, GIVES},	/* TIOCGWINSZ */
	{0x5414, ARG_WINDOW, TAKES},	/* TIOCSWINSZ */
	{0x541b, ARG_NUMBER, GIVES, 4}, /* FIONREAD */
	{0x5420, ARG_NUMBER, TAKES, 4}, /* TIOCPKT */
	{0x5421, ARG_NUMBER, TAKES, 4}, /* FIONBIO */
	{0x5423, ARG_NUMBER, TAKES, 4}, /* TIOCSETD */
	{0x5424, ARG_NUMBER, GIVES, 4}, /* TIOCGETD */
	{0x5429, ARG_NUMBER, GIVES, 4}, /* TIOCGSID */
	{0x5452, ARG_NUMBER, TAKES, 4}, /* FIOASYNC */
	{0x5460, ARG_NUMBER, GIVES, 8}, /* FIOQSIZE */
	{0x8901, ARG_NUMBER, TAKES, 4}, /* FIOSETOWN */
	{0x8902, ARG_NUMBER, TAKES, 4}, /* SIOCSPGRP */
	{0x8903, ARG_NUMBER, GIVES, 4}, /* FIOGETOWN */
	{0x8904, ARG_NUMBER, GIVES, 4}, /* SIOCGPGRP */
	{0x8905, ARG_NUMBER, GIVES, 4}, /* SIOCATMARK */
	{0x8913, ARG_IFREQ_FLAGS, GIVES, 0, "ifr_flags"},
	{0x8914, ARG_IFREQ_FLAGS, TAKES, 0, "ifr_flags"},
	{0x8915, ARG_IFREQ_ADDRESS, GIVES, 0, "ifr_addr"},
	{0x8916, ARG_IFREQ_ADDRESS, TAKES, 0, "ifr_addr"},
	{0x8917, ARG_IFREQ_ADDRESS, GIVES, 0, "ifr_dstaddr"},
	{0x8919, ARG_IFREQ_ADDRESS, GIVES, 0, "ifr_broadaddr"},
	{0x891b, ARG_IFREQ_ADDRESS, GIVES, 0, "ifr_netmask"},
	{0x891c, ARG_IFREQ_ADDRESS, TAKES, 0, "ifr_netmask"},
	{0x891d, ARG_IFREQ_NUMBER, GIVES, 0, "ifr_metric"},
	{0x8921, ARG_IFREQ_NUMBER, GIVES, 0, "ifr_mtu"},
	{0x8922, ARG_IFREQ_NUMBER, TAKES, 0, "ifr_mtu"},
	{0x8927, ARG_IFREQ_HARDWARE, GIVES, 0, "ifr_hwaddr"},
	{0x8933, ARG_IFREQ_NUMBER, GIVES, 0, "ifr_ifindex"},
	{0x8942, ARG_IFREQ_NUMBER, GIVES, 0, "ifr_qlen"},
	{0x2400, ARG_PLAIN, TAKES},	    /* PERF_EVENT_IOC_ENABLE */
	{0x2401, ARG_PLAIN, TAKES},	    /* PERF_EVENT_IOC_DISABLE */
	{0x2402, ARG_PLAIN, TAKES},	    /* PERF_EVENT_IOC_REFRESH */
	{0x2403, ARG_PLAIN, TAKES},	    /* PERF_EVENT_IOC_RESET */
	{0x40082404, ARG_NUMBER, TAKES, 8}, /* PERF_EVENT_IOC_PERIOD */
	{0x2405, ARG_FD, TAKES},	    /* PERF_EVENT_IOC_SET_OUTPUT */
	{0x80082407, ARG_NUMBER, GIVES, 8}, /* PERF_EVENT_IOC_ID */
	{0x40042408, ARG_FD, TAKES},	    /* PERF_EVENT_IOC_SET_BPF */
	{0x40042409, ARG_PLAIN, TAKES},	    /* PERF_EVENT_IOC_PAUSE_OUTPUT */
	{0x40049409, ARG_FD, TAKES},	    /* FICLONE */
	{0x80086601, ARG_FLAGS, GIVES},	    /* FS_IOC_GETFLAGS */
	{0x40086602, ARG_FLAGS, TAKES},	    /* FS_IOC_SETFLAGS */
	{0x80081272, ARG_NUMBER, GIVES, 8}, /* BLKGETSIZE64 */
	{0x80081270, ARG_NUMBER, GIVES, 8}, /* BLKBSZGET */
	{0x80045430, ARG_NUMBER, GIVES, 4}, /* TIOCGPTN */
	{0x40045431, ARG_NUMBER, TAKES, 4}, /* TIOCSPTLCK */
	{0x80045439, ARG_NUMBER, GIVES, 4}, /* TIOCGPTLCK */
};

static const struct field window_fields[] = {
	{"ws_row", 0, 2, FIELD_NUMBER},
	{"ws_col", 2, 2, FIELD_NUMBER},
	{"ws_xpixel", 4, 2, FIELD_NUMBER},
	{"ws_ypixel", 6, 2, FIELD_NUMBER},
};

static void joined_bits_show(const struct call_text *t, enum words_group group, uint32_t bits)
{
	if (!bits)
		return;
	buf_char(t->out, '|');
	call_bits_show(t, group, bits);
}

/* struct termios of <asm-generic/termbits.h>; of the output and control flags some bits are
 * numbers: how to delay, the speed, and the size of a character. */
static void terminal_show(const struct call_text *t, const uint8_t *p)
{
	enum {
		OUTPUT_PLAIN = 0xff,
		CONTROL_SIZE = 0x30,
		CONTROL_SPEED = 0x100f,
		CONTROL_OTHER = 0x1fff0000
	};
	uint32_t v[4]; /* input, output, control, local */

	memcpy(v, p, sizeof(v));
	buf_str(t->out, "{c_iflag=");
	if (v[0])
		call_bits_show(t, WORDS_tty_input, v[0]);
	buf_printf(t->out, ", c_oflag=NL%u|CR%u|TAB%u|BS%u|VT%u|FF%u", v[1] >> 8 & 1, v[1] >> 9 & 3,
		   v[1] >> 11 & 3, v[1] >> 13 & 1, v[1] >> 14 & 1, v[1] >> 15 & 1);
	joined_bits_show(t, WORDS_tty_output, v[1] & OUTPUT_PLAIN);
	buf_str(t->out, ", c_cflag=");
	call_enum_show(t, WORDS_baud, v[2] & CONTROL_SPEED, "%#o");
	buf_printf(t->out, "|CS%u", 5 + ((v[2] & CONTROL_SIZE) >> 4));
	joined_bits_show(t, WORDS_tty_control,
			 v[2] & ~(uint32_t)(CONTROL_SIZE | CONTROL_SPEED | CONTROL_OTHER));
	buf_str(t->out, ", c_lflag=");
	if (v[3])
		call_bits_show(t, WORDS_tty_local, v[3]);
	buf_str(t->out, ", ...}");
}

/* struct ifreq of <linux/if.h>: the interface's name, and a union. */
static void interface_show(const struct call_text *t, const struct ioctl_arg *a, const uint8_t *p,
			   bool filled)
{
	const uint8_t *value = p + NAME_SIZE;

	buf_str(t->out, "{ifr_name=");
	call_quote(p, strnlen((const char *)p, NAME_SIZE), false, t->out);
	if (filled) {
		buf_printf(t->out, ", %s=", a->name);
		if (a->form == ARG_IFREQ_NUMBER) {
			buf_printf(t->out, "%d", (int)field_number(value, 4));
		} else if (a->form == ARG_IFREQ_FLAGS) {
			call_bits_show(t, WORDS_if_flags, field_number(value, 2));
		} else if (a->form == ARG_IFREQ_ADDRESS) {
			call_address_show(t, value, 16);
		} else {
			buf_printf(t->out,
				   "{sa_family=%u, sa_data=", (unsigned int)field_number(value, 2));
			for (unsigned int i = 0; i < 6; i++)
				buf_printf(t->out, "%s%02x", i ? ":" : "", value[2 + i]);
			buf_char(t->out, '}');
		}
	}
	buf_char(t->out, '}');
}

/* The memory that the command points to. */
static bool ioctl_memory_show(const struct call_text *t, const struct ioctl_arg *a)
{
	enum { TERMINAL_BYTES = 36, IFREQ_BYTES = 40 };
	const bool interface = a->form >= ARG_IFREQ_NUMBER;
	const bool filled = a->way == TAKES || (t->call->returned && !call_failed(t->call));
	size_t n, least = a->form == ARG_TERMINAL ? TERMINAL_BYTES
			  : interface		  ? IFREQ_BYTES
			  : a->form == ARG_NUMBER ? a->size
						  : sizeof(uint64_t);
	const uint8_t *p = filled || interface ? call_bytes(t->call, t->value, &n) : NULL;

	if (!p || n < least)
		return false;
	switch ((enum ioctl_arg_form)a->form) {
	case ARG_NUMBER:
		buf_printf(t->out, "[%lld]",
			   a->size == 4 ? (long long)(int32_t)field_number(p, 4)
					: (long long)field_number(p, 8));
		return true;
	case ARG_FLAGS:
		buf_char(t->out, '[');
		call_bits_show(t, WORDS_fs_flags, field_number(p, 4));
		buf_char(t->out, ']');
		return true;
	case ARG_TERMINAL:
		terminal_show(t, p);
		return true;
	case ARG_WINDOW:
		call_fields_show(t, p, n, window_fields, ARRAY_SIZE(window_fields));
		return true;
	default:
		interface_show(t, a, p, filled);
		return true;
	}
}

bool call_ioctl_show(const struct call_text *t)
{
	const struct ioctl_arg *a = NULL;

	if (t->arg->kind != KIND_ioctl_arg)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(ioctl_args) && !a; i++)
		if (ioctl_args[i].command == (uint32_t)t->call->args[1])
			a = &ioctl_args[i];
	if (!a)
		return false;
	switch ((enum ioctl_arg_form)a->form) {
	case ARG_FD:
		call_fd_show(t, (int)t->value);
		return true;
	case ARG_FLUSH:
		call_enum_show(t, WORDS_tcflush, t->value, "%#x");
		return true;
	case ARG_FLOW:
		call_enum_show(t, WORDS_tcxonc, t->value, "%#x");
		return true;
	case ARG_PLAIN:
		buf_sdec(t->out, (int64_t)t->value);
		return true;
	default:
		return ioctl_memory_show(t, a);
	}
}
