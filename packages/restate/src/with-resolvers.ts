// The SDK of Restate needs it; Node.js has it from version 22 on.

if (!("withResolvers" in Promise)) {
  Object.defineProperty(Promise, "withResolvers", {
    configurable: true,
    writable: true,
    value: function withResolvers<Value>(this: PromiseConstructor) {
      let resolve: (value: Value | PromiseLike<Value>) => void = () => undefined;
      let reject: (reason?: unknown) => void = () => undefined;
      const promise = new this<Value>((onResolve, onReject) => {
        resolve = onResolve;
        reject = onReject;
      });
      return { promise, resolve, reject };
    },
  });
}
