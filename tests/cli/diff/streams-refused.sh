# what does not go with --stream says so
ask() { perf diff "$@" 2>&1 | head -2; }
b=$DATA/blocks.data
ask --stream $b $b $b
for option in -b --confidence '-C x' '-d x' '-S x' '--pid 1' '--tid 1' -F '-o 1' -p '--percentage absolute' '-t ,' '-s comm' --tui '--html x'; do
	ask --stream $option $b $b
done
ask -c cycles --stream --cycles-hist $b $b
