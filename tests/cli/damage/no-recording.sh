echo this is no recording, but long enough to have the size of a file header ................... >text.data
perf report --stdio -i text.data
