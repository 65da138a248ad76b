# SPDX-License-Identifier: MIT
# Completion of perf for bash, with the bash-completion package or without it: then put
#   . /usr/local/share/bash-completion/completions/perf
# into ~/.bashrc. What there is to complete comes from `perf --complete`, see src/cmd/front/complete.h.

_perf()
{
	local rest=${COMP_LINE:0:COMP_POINT} perf=${COMP_WORDS[0]} i piece
	local -a words=() at=() lines=()

	# bash breaks words at : and = too: pieces without a blank between them are one word again
	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		if [[ $i != 0 && $rest != [[:space:]]* ]]; then
			[[ $rest == "$piece"* ]] || piece=$rest
			words[${#words[@]}-1]+=$piece
		else
			rest=${rest#"${rest%%[![:space:]]*}"}
			[[ $rest == "$piece"* ]] || piece=$rest
			words+=("$piece") at+=("$i")
		fi
		rest=${rest#"$piece"}
	done

	# bash replaces what stands behind its last word break, or behind the quote that is still open
	local n=${#words[@]} breaks= cut=
	local word=${words[n-1]}
	if [[ $word == [\'\"]* ]]; then
		word=${word:1}
	else
		[[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
		[[ $COMP_WORDBREAKS == *=* ]] && breaks+==
		[[ $breaks ]] && cut=${word%"${word##*[$breaks]}"}
	fi
	words=("${words[@]//[\'\"\\]/}")
	words[n-1]=$word
	[[ $perf == "~/"* ]] && perf=$HOME/${perf#"~/"}
	mapfile -t lines < <("$perf" --complete "${words[@]}" 2>/dev/null)
	COMPREPLY=()
	for piece in "${lines[@]:2}"; do
		piece=${lines[1]}${piece%%$'\t'*}
		COMPREPLY+=("${piece#"$cut"}")
	done

	case ${lines[0]} in
	parts)
		compopt -o nospace +o default +o bashdefault ;;
	words)
		compopt +o default +o bashdefault ;;
	command*)
		local first=${lines[0]#command } more=("${COMPREPLY[@]}") offset=
		for piece in _comp_command_offset _command_offset; do
			declare -F "$piece" >/dev/null && offset=$piece && break
		done
		if [[ $offset ]]; then
			"$offset" "${at[first]}"
		elif ((first == n - 1)); then
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
		fi
		COMPREPLY+=("${more[@]}") ;;
	esac
}

complete -o bashdefault -o default -F _perf perf
