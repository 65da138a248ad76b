# a menu of events; the next and the one before; back to the menu
screen -s 100x12 'perf report -i $DATA/group.data -s comm,dso --no-group' = '<down><enter>' = '<tab>' = \
	'<backtab><backtab>' = '<esc>' '<esc>'
screen -s 100x12 'perf report -i $DATA/side-band.data -s comm' '<tab>' = q
# a group, sorted by its members
screen -s 100x12 'perf report -i $DATA/group.data -s dso' = 1 = 9 = q
