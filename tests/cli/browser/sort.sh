# by columns, inverted; by other keys of the same samples, by none that is known
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	'>' = '>' = 'I' = '<lt>' = 'o<ctrl-u>sym<enter>' = 'o<ctrl-u>color<enter>' = 'q'
# keys that the samples do not keep: the recording is read again
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data --no-children' 'o<ctrl-u>time,sym<enter>' = 'q'
# a click on a header sorts by its column, a second one the other way round; between headers, right of all, scrolled to the side
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' '<click30x2>' = '<click30x2>' = '<click4x2>' = '<click79x2>' = \
	'<right><right><click30x2>' = q
