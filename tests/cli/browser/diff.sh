# compared recordings: methods, periods, order, the baseline only, a filter, another event, leave
cd "$DATA"
screen -s 90x10 "perf diff -f --symfs root chains.data pipe.data" = c = '<down>c' = p = '0' = '7' '&worker<enter>' = '<esc>' b = '<tab>' = '<esc>' = '<enter>'
screen -s 60x10 "perf diff -f -s comm wide.data comms.data chains.data" = 2 = '/third<enter>' = h = '<esc>' q
screen -s 70x12 "perf diff -f -s dso --confidence wide.data wide.data" = c = q
# on paper all the same
screen -s 80x10 "perf diff --stdio -f -s comm comms.data comms.data" =
# a click on a header: the values of that recording; keys are no values
screen -s 60x10 "perf diff -f -s comm wide.data comms.data chains.data" '<click5x2>' = '<click20x2>' = '<click58x2>' = q
# the code of a row's function in each recording; rows of threads are of no function
screen -s 80x12 "perf diff -f --symfs root chains.data pipe.data" '/burn<enter><enter>' = '<esc>' 0 a = '<esc>' = q
screen -s 60x10 "perf diff -f -s comm wide.data comms.data" '<enter>' = q
