# the smallest screen: help in lines that fit, a message that needs all of the line, the end of a long answer, what is zoomed into
set -- perf report -f --symfs "$DATA/root" -i "$DATA/chains.data"
screen -s 40x10 "$*" 'h' = '<pgdn>' = '<pgdn><pgdn>' = '<esc>' s = 'o,pid,cpu,time,parent' = '<esc>' t = m = '<esc>' G = q
screen -l C.UTF-8 -s 40x10 "$*" E = '<pgdn>' = '<pgup>' = q
# in a menu, a question, a search and the help the terminal changes its size
screen -s 40x10 "$*" m @60x12 = @40x10 '<esc>' 'L' @60x12 = @40x10 '<esc>' '/wor' @60x12 = '<esc>' h @40x10 = '<esc>' q
# help is wrapped anew, and stays about where it was
screen -s 70x12 "$*" h '<end>' @40x12 = @70x12 = '<home>' @40x12 = @20x5 @70x12 = '<esc>' q
