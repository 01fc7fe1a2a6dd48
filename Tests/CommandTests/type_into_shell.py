"""Types into a real shell on a terminal of its own, and prints what the shell makes of each line at Tab.

    type_into_shell.py bash|zsh|fish FOLDER PROGRAM  <lines on standard input>

FOLDER is the shell's working directory and home; PROGRAM is the file to run, which is put into PATH under its own name.
Prints one line for each: the command line as it stands after Tab, in brackets, so that a blank at its end is seen.
"""
import os, pty, re, select, sys, time

shell, folder, program = sys.argv[1:4]
MARK = "\x07"  # Ctrl-G, bound to printing the line

# How each shell reads the script, and how it prints the line that is being typed.
SETUP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], r"""
bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'
show() { printf '\n<<%s>>\n' "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\C-g": show'
source <(oidc-preflight completions bash)
"""),
    "zsh": (["zsh", "-f", "-i"], r"""
autoload -Uz compinit; compinit -u -D; unsetopt beep; setopt no_list_beep; bindkey '^I' complete-word
show() { print -r -- $'\n'"<<$BUFFER>>"; BUFFER=; zle reset-prompt; }; zle -N show; bindkey '^G' show
source <(oidc-preflight completions zsh)
"""),
    "fish": (["fish", "--no-config", "-i"], r"""
function show; printf '\n<<%s>>\n' (commandline); commandline ''; commandline -f repaint; end; bind \cg show
oidc-preflight completions fish | source
"""),
}

command, setup = SETUP[shell]
setup_file = os.path.join(folder, "setup." + shell)
with open(setup_file, "w") as file:
    file.write(setup)

pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    environment = {
        "PATH": os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"], "HOME": folder, "TERM": "dumb",
        "LC_ALL": "C.UTF-8", "COLUMNS": "500", "PS1": "$ ", "LINES": "50", "XDG_CONFIG_HOME": folder,
        "XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder,
    }
    os.execvpe(command[0], command, environment)

seen = ""


def read_until(pattern, seconds):
    """Reads what the shell prints until the pattern is in it."""
    global seen
    end = time.time() + seconds
    while True:
        found = re.search(pattern, seen, re.S)
        if found:
            seen = seen[found.end():]
            return found
        left = end - time.time()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            sys.exit(f"{shell} did not answer: {seen!r}")
        seen += os.read(terminal, 65536).decode("utf-8", "replace")


def send(text):
    os.write(terminal, text.encode())


import fcntl, struct, termios
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
send(f"source {setup_file}; echo READY''NOW\n")
read_until("READYNOW", 60)
for line in sys.stdin.read().splitlines():
    send(line + "\t")
    # The shell asks the program; a key that is typed before the answer waits in the terminal.
    send(MARK)
    print("[" + read_until("<<(.*?)>>", 60).group(1) + "]", flush=True)
os.close(terminal)
