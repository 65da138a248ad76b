// SPDX-License-Identifier: MIT
#include "event/vendor/vendor.h"

#include "event/vendor/json.h"
#include "os/files/text.h"

#include <ctype.h>
#include <string.h>

/* The topic of a file: its name without ".json", with blanks for '-' ("uncore memory"). */
static const char *topic_of(struct arena *arena, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *topic = arena_strndup(arena, name, strcspn(name, "."));

	for (char *p = topic; *p; p++)
		*p = *p == '-' || *p == '_' ? ' ' : *p;
	return topic;
}

/* The array of rows of a file: its root, or a member of it ("Events", "Metrics"). */
static const json_t *vendor_rows_of(const json_t *root)
{
	const char *const names[] = {"Events", "Metrics"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (json_is_array(json_object_get(root, names[i])))
			return json_object_get(root, names[i]);
	return json_is_array(root) ? root : NULL;
}

/* metricgroups.json: an object of descriptions. */
static void add_groups(struct vendor *v, json_t *root)
{
	const char *name;
	json_t *value;

	json_object_foreach(root, name, value)
	{
		if (json_is_string(value))
			vec_add(&v->groups,
				(struct vendor_group){arena_strdup(&v->arena, name),
						      json_text(root, name, &v->arena)});
	}
}

void vendor_add_root(struct vendor *v, json_t *root, const struct vendor_file *file,
		     const json_t *std)
{
	const char *topic = file->topic ? file->topic : topic_of(&v->arena, file->path);
	const json_t *rows = vendor_rows_of(root);
	json_t *row;
	size_t i;

	if (rows) {
		if (!file->metrics) {
			json_array_foreach(rows, i, row)
				vendor_add_event(v, row, topic, file->pmu, std);
		}
		vendor_add_metrics(v, rows, file->pmu);
	} else if (json_is_object(root)) {
		add_groups(v, root);
	}
}

static int add_file(struct vendor *v, const struct vendor_file *file, const json_t *std,
		    struct err *err)
{
	json_t *root = json_file(file->path, err);

	if (!root)
		return -1;
	v->files++;
	vendor_add_root(v, root, file, std);
	json_decref(root);
	return 0;
}

static void add_std(json_t *std, json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		const char *text = json_string_value(json_object_get(row, "EventName"));
		char *name = text ? mem_strdup(text) : NULL;

		for (char *p = name; p && *p; p++)
			*p = (char)tolower((unsigned char)*p);
		if (name)
			json_object_set(std, name, row);
		free(name);
	}
}

/* Reads the rows of all files of a folder that other rows refer to, by their names in lower
 * case. */
static int read_std(const char *dir, json_t *std, struct err *err)
{
	struct arena arena = {0};
	struct names names = {0};
	int ret = 0;

	text_names(dir, NULL, true, false, &arena, &names);
	for (size_t i = 0; i < names.n && !ret; i++) {
		size_t n = strlen(names.at[i]);
		json_t *root;

		if (n < 5 || strcmp(names.at[i] + n - 5, ".json"))
			continue;
		root = json_file(arena_printf(&arena, "%s/%s", dir, names.at[i]), err);
		if (root)
			add_std(std, root);
		else
			ret = -1;
		json_decref(root);
	}
	vec_release(&names);
	arena_release(&arena);
	return ret;
}

static int vendor_by_name(const char *x, const char *x_pmu, const char *y, const char *y_pmu)
{
	int order = strcmp(x, y);

	return order ? order : strcmp(x_pmu ? x_pmu : "", y_pmu ? y_pmu : "");
}

static int event_order(const void *a, const void *b)
{
	const struct vendor_event *x = a, *y = b;
	int order = vendor_by_name(x->name, x->pmu, y->name, y->pmu);

	return order ? order : strcmp(x->terms, y->terms);
}

static int metric_order(const void *a, const void *b)
{
	const struct vendor_metric *x = a, *y = b;
	int order = vendor_by_name(x->name, x->pmu, y->name, y->pmu);

	return order ? order : strcmp(x->expr, y->expr);
}

/* Sorts a list and keeps the first of those that have the same name and PMU. */
#define SORT_ONCE(list, order)                                                                     \
	do {                                                                                       \
		size_t kept_ = 0;                                                                  \
                                                                                                   \
		if ((list)->n)                                                                     \
			qsort((list)->at, (list)->n, sizeof(*(list)->at), order);                  \
		for (size_t i_ = 0; i_ < (list)->n; i_++)                                          \
			if (!kept_ ||                                                              \
			    vendor_by_name((list)->at[kept_ - 1].name, (list)->at[kept_ - 1].pmu,  \
					   (list)->at[i_].name, (list)->at[i_].pmu))               \
				(list)->at[kept_++] = (list)->at[i_];                              \
		(list)->n = kept_;                                                                 \
	} while (0)

int vendor_load(struct vendor *v, const char *dir, const char *cpuid, struct err *err)
{
	struct vendor_files files = {0};
	json_t *std = json_object();
	int ret = vendor_list_files(dir, cpuid, &v->arena, &files, err);

	if (!ret && files.std_dir)
		ret = read_std(files.std_dir, std, err);
	for (size_t i = 0; i < files.n && !ret; i++)
		ret = add_file(v, &files.at[i], std, err);
	SORT_ONCE(&v->events, event_order);
	SORT_ONCE(&v->metrics, metric_order);
	json_decref(std);
	vec_release(&files);
	return ret;
}

void vendor_release(struct vendor *v)
{
	vec_release(&v->events);
	vec_release(&v->metrics);
	vec_release(&v->groups);
	arena_release(&v->arena);
}

static int compare_lower(const char *word, const char *lower)
{
	for (; *word && tolower((unsigned char)*word) == (unsigned char)*lower; word++)
		lower++;
	return tolower((unsigned char)*word) - (unsigned char)*lower;
}

size_t vendor_find(const struct vendor *v, const char *name, const struct vendor_event **first)
{
	size_t from = 0, to = v->events.n, n = 0;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare_lower(name, v->events.at[middle].name) > 0)
			from = middle + 1;
		else
			to = middle;
	}
	while (from + n < v->events.n && !compare_lower(name, v->events.at[from + n].name))
		n++;
	*first = v->events.at + from;
	return n;
}
