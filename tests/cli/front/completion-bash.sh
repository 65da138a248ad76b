# what bash makes of a line at TAB, without the package bash-completion
python3 "$DATA/../shells.py" bash
