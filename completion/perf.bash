# SPDX-License-Identifier: MIT
# Completion of perf for bash. What there is to complete comes from perf itself: --list-cmds,
# CMD --list-opts and list --raw-dump, all made from the tables the program parses with.

_perf()
{
	local perf=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command= i words=

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--exec-path|--debugfs-dir|--buildid-dir|--debug|--debug-file) ((i++)) ;;
		-*) ;;
		*) command=${COMP_WORDS[i]}; break ;;
		esac
	done

	case $command:$before in
	:*)
		case $word in
		-*) words=$("$perf" --list-opts 2>/dev/null) ;;
		*) words=$("$perf" --list-cmds 2>/dev/null) ;;
		esac ;;
	help:*)
		words=$("$perf" --list-cmds 2>/dev/null) ;;
	record:-e|record:--event|stat:-e|stat:--event|top:-e|top:--event|trace:-e|trace:--event)
		local names=${word##*[,\{]} done=
		[[ $names != "$word" ]] && done=${word%"$names"}
		words=$("$perf" list --raw-dump 2>/dev/null)
		COMPREPLY=($(compgen -P "$done" -W "$words" -- "$names"))
		compopt -o nospace
		__ltrim_colon_completions "$word" 2>/dev/null
		return ;;
	*)
		case $word in
		--*) words=$("$perf" "$command" --list-opts 2>/dev/null) ;;
		esac
		if [[ $command == list && $word != -* ]]; then
			words="hw sw cache tracepoint pmu"
		fi ;;
	esac
	# nothing of ours: file names (complete -o default)
	COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o bashdefault -o default -F _perf perf
