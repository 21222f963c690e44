/* A bank: transfers with compare and swap, mapped memory, a log of refused orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCOUNTS 16
#define ORDERS 256

typedef enum { DEPOSIT, WITHDRAW, TRANSFER, KINDS } Kind;

struct Order {
    Kind kind : 8;
    unsigned from : 8;
    unsigned to : 8;
    int amount;
};

struct Account {
    int balance;
    unsigned used;
};

struct Bank {
    Account accounts[ACCOUNTS];
    int refused[KINDS];
    long long volume;
};

__device__ Bank bank;

__device__ bool take(Account *account, int amount) {
    int old = account->balance;
    for (;;) {
        if (old < amount) return false;
        int seen = atomicCAS(&account->balance, old, old - amount);
        if (seen == old) return true;
        old = seen;
    }
}

__global__ void process(const Order *orders, int n, unsigned *accepted) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const Order order = orders[i];
        bool good = true;
        switch (order.kind) {
            case DEPOSIT:
                atomicAdd(&bank.accounts[order.to].balance, order.amount);
                break;
            case TRANSFER:
                good = take(bank.accounts + order.from, order.amount);
                if (good) atomicAdd(&bank.accounts[order.to].balance, order.amount);
                break;
            case WITHDRAW:
                good = take(&bank.accounts[order.from], order.amount);
                break;
            default:
                good = false;
        }
        if (good) {
            atomicOr(&accepted[i / 32], 1u << i % 32);
            atomicAdd((unsigned long long *)&bank.volume, (unsigned long long)order.amount);
        } else {
            atomicAdd(&bank.refused[order.kind], 1);
        }
        atomicInc(&bank.accounts[order.kind == DEPOSIT ? order.to : order.from].used, 1u << 20);
    }
}

int main() {
    static const char *names[KINDS] = {"deposit", "withdraw", "transfer"};
    static Bank start, after;
    Order *orders, *d_orders;
    unsigned *accepted, *d_accepted;
    int i, expected[ACCOUNTS], counts[KINDS] = {0}, refused[KINDS] = {0}, good = 1;
    unsigned used[ACCOUNTS] = {0};
    long long volume = 0, sum = 0;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    if (!properties.canMapHostMemory) {
        fprintf(stderr, "%s cannot map memory\n", properties.name);
        return 1;
    }
    cudaSetDeviceFlags(cudaDeviceMapHost);
    cudaHostAlloc((void **)&orders, ORDERS * sizeof(Order), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    cudaHostAlloc((void **)&accepted, ORDERS / 8, cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&d_orders, orders, 0);
    cudaHostGetDevicePointer((void **)&d_accepted, accepted, 0);
    memset(accepted, 0, ORDERS / 8);
    srand(42);
    for (i = 0; i < ACCOUNTS; i++) start.accounts[i].balance = expected[i] = 100 * (i % 4);
    for (i = 0; i < ORDERS; i++) {
        int kind = rand() % KINDS;
        orders[i].kind = (Kind)kind;
        orders[i].from = rand() % ACCOUNTS;
        orders[i].to = (orders[i].from + 1 + rand() % (ACCOUNTS - 1)) % ACCOUNTS;
        orders[i].amount = 10 + rand() % 90;
        counts[kind]++;
    }
    cudaMemcpyToSymbol(bank, &start, sizeof(Bank));
    process<<<2, 64>>>(d_orders, ORDERS, d_accepted);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    cudaMemcpyFromSymbol(&after, bank, sizeof(Bank));
    /* The order of the threads is not known: the accepted orders must explain the balances. */
    for (i = 0; i < ORDERS; i++) {
        const struct Order *o = &orders[i];
        used[o->kind == DEPOSIT ? o->to : o->from]++;
        if (!(accepted[i / 32] >> i % 32 & 1)) {
            refused[o->kind]++;
            continue;
        }
        volume += o->amount;
        if (o->kind != WITHDRAW) expected[o->to] += o->amount;
        if (o->kind != DEPOSIT) expected[o->from] -= o->amount;
    }
    for (i = 0; i < ACCOUNTS; i++) {
        const Account a = after.accounts[i];
        good = good && a.balance == expected[i] && a.balance >= 0 && a.used == used[i];
        sum += a.balance;
    }
    for (i = 0; i < KINDS; i++) {
        printf("%s: %d orders\n", names[i], counts[i]);
        good = good && after.refused[i] == refused[i];
    }
    good = good && after.volume == volume && sum > 0 && refused[DEPOSIT] == 0 && sizeof(Order) == 8;
    puts(good ? "PASSED" : "FAILED");
    cudaFreeHost(orders);
    cudaFreeHost(accepted);
    return !good;
}
