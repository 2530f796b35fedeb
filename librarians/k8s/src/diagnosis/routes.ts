import { listAt, recordAt, textAt } from "../cluster/fields.js";

/** A Service behind an Ingress. */
export interface IngressBackend {
  readonly name: string;
  /** Number or name of the port, as it is written. */
  readonly port: unknown;
  readonly at: string;
}

/** Services that an Ingress sends to: those of its paths, then the default one. */
export function listIngressBackends(ingress: unknown): readonly IngressBackend[] {
  const paths = listAt(ingress, "spec", "rules").flatMap((rule, index) =>
    listAt(rule, "http", "paths").map((path, place) => ({
      backend: recordAt(path, "backend"),
      at: `spec.rules[${index}].http.paths[${place}].backend`,
    })),
  );
  return [
    ...paths,
    { backend: recordAt(ingress, "spec", "defaultBackend"), at: "spec.defaultBackend" },
  ].flatMap(({ backend, at }) => {
    const name = textAt(backend, "service", "name") ?? textAt(backend, "serviceName");
    const port = recordAt(backend, "service", "port");
    return name === undefined
      ? []
      : [{ name, port: port.number ?? port.name ?? backend.servicePort, at }];
  });
}
