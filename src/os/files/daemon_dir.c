// SPDX-License-Identifier: MIT
#include "os/files/daemon_dir.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_SECONDS	60
#define REQUEST_SECONDS 1

static int refuse_base(int fd, const char *path, const char *why, struct err *err)
{
	close(fd);
	err_set(err, ERR_RIGHTS, "the base directory '%s' %s", path, why);
	return err_hint(err, "a directory with mode 0700 of the user who runs the daemon is safe");
}

int daemon_dir_open(const char *path, char real[PATH_MAX], struct err *err)
{
	struct stat st;
	int fd;

	if (!realpath(path, real))
		return err_sys(err, errno, "cannot open the base directory '%s'", path);
	fd = open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		err_sys(err, errno, "cannot open the base directory '%s'", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (st.st_uid != geteuid())
		return refuse_base(fd, path, "belongs to another user", err);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return refuse_base(fd, path, "may be written to by others", err);
	return fd;
}

/* Opens a file of the directory. Refuses any but a regular file of this user with one hard link. */
static int open_plain(int dir, const char *name, int flags, struct err *err)
{
	const int fd =
		openat(dir, name, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s' in the base directory", name);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid())
		return fd;
	close(fd);
	return err_set(err, ERR_RIGHTS, "'%s' in the base directory is no file of the daemon",
		       name);
}

int daemon_dir_lock(int dir, const char *path, struct err *err)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const int fd = open_plain(dir, DAEMON_LOCK, O_RDWR, err);
	char owner[16] = "";
	int why;

	if (fd < 0 || !fcntl(fd, F_OFD_SETLK, &all))
		return fd;
	why = errno;
	if (pread(fd, owner, sizeof(owner) - 1, 0) <= 0)
		owner[0] = 0;
	close(fd);
	if (why != EAGAIN && why != EACCES)
		return err_sys(err, why, "cannot lock '%s/%s'", path, DAEMON_LOCK);
	owner[strspn(owner, "0123456789")] = 0;
	return err_set(err, ERR_INPUT, "another perf daemon (pid %s) owns '%s'",
		       *owner ? owner : "unknown", path);
}

void daemon_dir_say_owner(int lock, int pid)
{
	char text[16];
	const int n = pid ? snprintf(text, sizeof(text), "%d", pid) : 0;

	if (!ftruncate(lock, 0) && n)
		(void)!pwrite(lock, text, (size_t)n, 0);
}

int daemon_dir_create(int dir, const char *name, struct err *err)
{
	const int fd = open_plain(dir, name, O_WRONLY | O_APPEND, err);

	if (fd < 0 || !ftruncate(fd, 0))
		return fd;
	err_sys(err, errno, "cannot empty '%s'", name);
	close(fd);
	return -1;
}

int daemon_dir_make(int dir, const char *name, struct err *err)
{
	struct stat st;
	int fd;

	if (mkdirat(dir, name, 0700) && errno != EEXIST)
		return err_sys(err, errno, "cannot make '%s'", name);
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "cannot open '%s'", name);
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	return refuse_base(fd, name, "isn't this user's alone", err);
}

int daemon_dir_fifo(int dir, const char *name, struct err *err)
{
	int fd;

	if ((unlinkat(dir, name, 0) && errno != ENOENT) || mkfifoat(dir, name, 0600))
		return err_sys(err, errno, "cannot make the pipe '%s'", name);
	fd = openat(dir, name, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? err_sys(err, errno, "cannot open the pipe '%s'", name) : fd;
}

/* The socket's path through the descriptor: the directory's own path may be longer than
 * sun_path. */
static void socket_address(int dir, struct sockaddr_un *out)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(out->sun_path, sizeof(out->sun_path), "/proc/self/fd/%d/" DAEMON_SOCKET, dir);
}

int daemon_dir_listen(int dir, struct err *err)
{
	struct sockaddr_un address;
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t before;
	int failed;

	if (fd < 0)
		return err_sys(err, errno, "cannot make a socket");
	socket_address(dir, &address);
	failed = unlinkat(dir, DAEMON_SOCKET, 0) && errno != ENOENT;
	before = umask(0177);
	failed = failed || bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 8);
	umask(before);
	if (!failed)
		return fd;
	err_sys(err, errno, "cannot make the socket '%s' in the base directory", DAEMON_SOCKET);
	close(fd);
	return -1;
}

static void limit_waiting(int fd, int receive, int send)
{
	const struct timeval in = {.tv_sec = receive}, out = {.tv_sec = send};

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &in, sizeof(in));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &out, sizeof(out));
}

int daemon_dir_accept(int listener)
{
	const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred who;
	socklen_t n = sizeof(who);

	if (fd < 0)
		return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) ||
	    (who.uid && who.uid != geteuid())) {
		close(fd);
		return -1;
	}
	limit_waiting(fd, REQUEST_SECONDS, REQUEST_SECONDS);
	return fd;
}

int daemon_dir_connect(int dir, const char *path, struct err *err)
{
	struct sockaddr_un address;
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return err_sys(err, errno, "cannot make a socket");
	socket_address(dir, &address);
	limit_waiting(fd, ANSWER_SECONDS, ANSWER_SECONDS);
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	err_sys(err, errno, "no daemon answers in '%s'", path);
	err_hint(err, "'perf daemon start' starts it");
	close(fd);
	return -1;
}
