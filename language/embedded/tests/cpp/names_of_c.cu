// Names of C that the headers of the C++ library include indirectly.
#include <iostream>
#include <string>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int guarded(pthread_mutex_t *mutex, int value) {
    pthread_mutex_lock(mutex);
    value++;
    pthread_mutex_unlock(mutex);
    return value;
}

int main() {
    errno = 0;
    long number = strtol("99999999999999999999", nullptr, 10);
    if (errno) std::cout << "out of range " << (number > 0) << "\n";
    std::cout << guarded(&lock, 3) << std::endl;
    return 0;
}
