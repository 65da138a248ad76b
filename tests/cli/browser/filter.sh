# rows with a text, rows above a limit
screen -s 80x12 'perf report -f --symfs $DATA/root -i $DATA/chains.data' \
	'&worker-1<enter>' = '<esc>' 'L<ctrl-u>50<enter>' = 'L<ctrl-u>many<enter>' = 'L<ctrl-u>99<enter>' = 'q'
