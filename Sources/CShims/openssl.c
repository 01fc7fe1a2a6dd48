#include "CShimsOpenSSL.h"
