# the text of script in the browser: moves, searches, and what cannot be shown
cp "$DATA/chains.data" one.data
set -- "perf script -f --symfs $DATA/root -i one.data --tui"
screen -s 80x10 "$1" = '<pgdn><pgdn>' = '<end>' = '<home>' '/799.9' = '<enter>' n = N '<left><right>' = q
screen -s 80x10 "$1 -F comm,nothing" = '<esc>'
screen -s 80x10 "$1 --tid 1" = '<enter>'
screen -s 80x10 "perf script -i nowhere.data --tui"
! perf script -i - --tui <one.data
! perf script -i one.data --tui --html page.html
! perf script -i one.data --tui --per-event-dump
! perf script -i one.data --tui </dev/null
