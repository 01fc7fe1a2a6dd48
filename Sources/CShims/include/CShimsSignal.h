#ifndef OIDC_PREFLIGHT_CSHIMS_SIGNAL_H
#define OIDC_PREFLIGHT_CSHIMS_SIGNAL_H

// Whether the signal is ignored now. SIG_IGN is a cast integer, which Swift cannot compare with a handler.
int preflight_is_ignored(int number);

#endif
