// SPDX-License-Identifier: MIT
#include "os/machine/host.h"
#include "os/process/process.h"
#include "symbol/dso_private.h"

void build_id_text(const struct build_id *id, char text[41])
{
	static const char digits[] = "0123456789abcdef";
	size_t n = MIN(id->size, sizeof(id->bytes));

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[id->bytes[i] >> 4];
		text[2 * i + 1] = digits[id->bytes[i] & 15];
	}
	text[2 * n] = 0;
}

int build_id_of_file(const char *path, struct build_id *id)
{
	struct elf_image image;
	int failed;

	if (elf_image_open(&image, path, true) < 0)
		return -1;
	failed = elf_build_id(&image.elf, id);
	elf_image_release(&image);
	return failed;
}

int build_id_of_kernel(struct build_id *id)
{
	id->size = (uint8_t)host_kernel_build_id("/sys", NULL, id->bytes);
	return id->size ? 0 : -1;
}

int build_id_of_module(const char *name, struct build_id *id)
{
	id->size = (uint8_t)host_kernel_build_id("/sys", name, id->bytes);
	return id->size ? 0 : -1;
}

int build_id_of_vdso(struct build_id *id)
{
	struct elf_file elf;
	size_t n;
	const void *p = own_vdso(&n);
	int failed;

	if (!p || elf_file_init(&elf, p, n))
		return -1;
	failed = elf_build_id(&elf, id);
	elf_file_release(&elf);
	return failed;
}
