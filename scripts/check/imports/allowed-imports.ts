/**
 * Each room and the features whose `server/door.ts` it may call (ARCHITECTURE.md). The graph has no cycles, as a test proves. Calls in the
 * other direction are outbox events. A new feature gets its line here.
 */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  site: ['payments', 'risk'],
  risk: [],
  notices: [],
  wallet: [],
  account: ['notices', 'risk'],
  payments: ['wallet', 'notices', 'account', 'risk'],
  gateway: ['wallet', 'notices', 'account', 'payments', 'risk'],
  identity: ['notices', 'account', 'risk'],
  cards: ['wallet', 'payments', 'identity', 'account', 'notices', 'gateway'],
  services: ['wallet', 'payments', 'account', 'notices', 'support', 'risk'],
  flex: ['services', 'wallet', 'account', 'invitations', 'risk'],
  upgrade: ['services', 'account', 'cards', 'notices', 'payments'],
  numbers: ['services', 'cards'],
  mailbox: ['services', 'cards', 'account'],
  registration: ['services'],
  proxy: ['services', 'payments', 'account', 'risk'],
  remote: ['services', 'payments', 'proxy', 'cards'],
  browser: ['services', 'payments', 'account', 'proxy', 'risk'],
  invitations: ['wallet', 'notices', 'account', 'payments', 'risk'],
  support: ['notices', 'risk', 'account'],
}

/** Reads from all rooms: search, approvals and audit need every one. */
export const unrestricted: readonly string[] = ['backoffice']

/** Finds a cycle, or returns undefined. */
export function findCycle(graph: Readonly<Record<string, readonly string[]>>): string[] | undefined {
  const done = new Set<string>()
  const walk = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of graph[name] ?? []) {
      const found = walk(next, [...path, name])
      if (found) return found
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(graph)) {
    const found = walk(name, [])
    if (found) return found
  }
  return undefined
}

/** Converts the graph to rules of dependency-cruiser. */
export function buildImportRules(tests: readonly string[]) {
  const rule = (name: string, comment: string, { path, pathNot }: { readonly path: string; readonly pathNot: string }) => ({
    name: `knock-${name}`,
    comment,
    severity: 'error' as const,
    from: { path, pathNot: tests },
    to: { path: '^features/[^/]+/server/door\\.ts$', pathNot },
  })
  const listed = [...Object.keys(allowedImports), ...unrestricted].join('|')
  return [
    ...Object.entries(allowedImports).map(([name, allowed]) =>
      rule(name, `${name} may call: ${allowed.join(', ') || 'no feature'} (scripts/check/imports/allowed-imports.ts).`, {
        path: `^features/${name}/server/`,
        pathNot: `^features/(${[name, ...allowed].join('|')})/`,
      }),
    ),
    rule('unlisted', 'A feature that is not in scripts/check/imports/allowed-imports.ts may call no feature.', {
      path: `^features/(?!(?:${listed})/)([^/]+)/server/`,
      pathNot: '^features/$1/',
    }),
  ]
}
