// Refused by clang: a static "__shared__" variable declaration is not allowed inside a host function body
// nvcc 13.0: the same
int main() {
    __shared__ int s[4];  // here
    s[0] = 1;
    return s[0];
}
