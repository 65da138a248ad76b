// SPDX-License-Identifier: MIT
#include "os/sensor/readout.h"

#include "os/sensor/drm.h"
#include "os/files/text.h"

#include <errno.h>

static int from_file(const char *path, int64_t *value, struct err *err)
{
	AUTO_BUF text = {0};
	char *end;

	/* a sensor that sleeps or is broken answers with an error of its own (ENODATA, EIO, ...) */
	if (text_read(NULL, path, 4096, &text))
		return err_sys(err, errno, "cannot read the sensor '%s'", path);
	errno = 0;
	*value = strtoll(buf_text(&text), &end, 10);
	if (end == text.at || errno)
		return err_set(err, ERR_INPUT, "the sensor '%s' shows no number", path);
	return 0;
}

int readout_get(const struct readout *r, const int *pids, size_t n, int64_t *value, struct err *err)
{
	*value = 0;
	switch (r->kind) {
	case READOUT_FILE:
		return from_file(r->path, value, err);
	case READOUT_DRM:
		*value = drm_sum(r->path, r->driver, r->key, pids, n);
		return 0;
	case READOUT_NONE:
	default:
		return err_set(err, ERR_UNSUPPORTED, "there is nothing to read");
	}
}
