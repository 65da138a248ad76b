# SPDX-License-Identifier: MIT
# Completion of perf for fish: a file in vendor_completions.d, or in ~/.config/fish/completions. What there is
# to complete comes from `perf --complete`, see src/cmd/front/complete.h.

function __perf_complete
    set -l words (commandline -opc)
    set -l word (string replace -r '^[\'"]' '' -- (commandline -ct))
    set -l lines (command $words[1] --complete $words "$word" 2>/dev/null)

    switch "$lines[1]"
        case words parts 'command *'
            for line in $lines[3..]
                echo -- "$lines[2]$line"
            end
        case '*'
            set -l behind (string sub -s (math 1 + (string length -- "$lines[2]")) -- "$word")
            for line in (__fish_complete_path "$behind")
                echo -- "$lines[2]$line"
            end
    end
    if set -l first (string replace -f 'command ' '' -- "$lines[1]")
        complete -C (string join ' ' -- (string escape -- $words[(math $first + 1)..]) (commandline -ct))
    end
end

complete -c perf -f -a '(__perf_complete)'
