"""Runs a program on a terminal of its own and answers its questions.

    answer_questions.py COLUMNS FOLDER PROGRAM [ARGUMENT]...  <answers on standard input, as JSON>

The answers are a list of pairs: what must be read on the terminal (a regular expression), and what is typed then; Ctrl-C is U+0003,
the end of input U+0004. A third value, "long", requires that the terminal takes lines of any length by then. Prints what the terminal showed, and on a last line how the program ended.
"""
import fcntl, json, os, pty, re, select, struct, sys, termios, time

columns, folder, program = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
answers = json.load(sys.stdin)

pid, terminal = pty.fork()
if pid == 0:
    # The width must be known before the first line.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.chdir(folder)
    os.execv(program[0], program)

shown = ""
read = 0


def more(seconds):
    """Reads on; false at the end of the program or of the time."""
    global shown
    if not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        octets = os.read(terminal, 65536)
    except OSError:
        return False
    shown += octets.decode("utf-8", "replace")
    return bool(octets)


for pattern, answer, *length in answers:
    end = time.time() + 60
    while not (found := re.search(pattern, shown[read:], re.S)):
        if time.time() > end or not more(1) and os.waitpid(pid, os.WNOHANG)[0]:
            sys.exit(f"not asked: {pattern!r} in {shown[read:]!r}")
    read += found.end()
    if length == ["long"] and termios.tcgetattr(terminal)[3] & termios.ICANON:
        sys.exit(f"the terminal cuts lines at 4,096 bytes after {pattern!r}")
    os.write(terminal, answer.encode())
while more(60):
    pass
status = os.waitpid(pid, 0)[1]
print(shown.replace("\r\n", "\n"))
print(f"exit {os.waitstatus_to_exitcode(status)}")
