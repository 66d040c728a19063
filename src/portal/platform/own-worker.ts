interface Policy {
  createScriptURL: (address: string) => string
}

/** Trusted Types only allow files of this origin: no other script can become a worker. */
const policy = (): Policy | undefined =>
  (globalThis as { trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy } }).trustedTypes?.createPolicy(
    'own-worker',
    {
      createScriptURL: (address) => {
        if (new URL(address, location.href).origin !== location.origin) throw new TypeError('This is no file of the portal.')
        return address
      },
    },
  )

let made: { policy: Policy | undefined } | undefined

/** Starts a worker from a file of the build. */
export function startWorker(address: string): Worker {
  made ??= { policy: policy() }
  return new Worker(made.policy?.createScriptURL(address) ?? address, { type: 'module' })
}
