# menus take the arrows, as in perf; keys that mean nothing say which one helps; rows whose branches are all too small have no sign
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data"
screen -s 80x10 "$*" 'm' = '<down><down><right>' = 'm<left>' 'B' = m 'B' = '<esc><esc>' q
screen -s 80x10 "$* -g graph,50,caller" '<down><down><down>' = q
# what is unfolded stays as it is in a table made anew, and in another order; the selected branch stays selected
screen -s 80x16 "$* -s dso" '+<down>+<down><down>' = F = 'I' = 'L<bs>200<bs><enter>' = q
