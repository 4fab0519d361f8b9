/** Budgets in gzip (the design's quality bars); a lazy chunk counts only what it adds to the layout with which it shares more. */
export const BUDGETS = { landing: '131 kB', console: '200 kB', route: '64 kB', css: '25 kB', fonts: '55 kB' }

/** The operators' app: first load, and the addition of a screen or a dialog. */
export const OPERATORS = { first: '200 kB', page: '62 kB', css: '25 kB' }

const ENTRY = 'index.html'
/** Chunks grouped by vite.config.ts have a name instead of a source. */
const CONSOLE = 'console'
/** The base of dialogs; loaded with the first page or dialog that needs it, so it counts towards no single chunk. */
const LAYERS = 'layers'
const SITE = 'site'
const LANDING = 'landing'
const LATER = ['below', 'extras']
/** Parts that a page loads when it has data for them, by the page. @type {Readonly<Record<string, string>>} */
const WITHIN = {
  '../../features/gateway/web/overview/spend-chart.tsx': '../../features/gateway/web/overview/overview.tsx',
  '../../features/cards/web/opening/papers/sample-papers.tsx': '../../features/cards/web/opening/index.tsx',
  '../../features/cards/web/opening/mismatch.tsx': '../../features/cards/web/opening/index.tsx',
  '../../features/payments/web/pay/method/method-step.tsx': '../../features/payments/web/pay/recharge-dialog.tsx',
}
/** A page for developers only. */
const NOT_SHIPPED = /^dev-ui\//

/** The manifest with its grouped chunks under their names, too. @param {any} built */
function named(built) {
  const grouped = Object.values(built).filter((/** @type {any} */ chunk) => [SITE, LANDING, CONSOLE, LAYERS, ...LATER].includes(chunk.name) && !chunk.src)
  return { ...built, ...Object.fromEntries(grouped.map((/** @type {any} */ chunk) => [chunk.name, chunk])) }
}

/** A chunk and its static imports, transitively. @param {any} manifest @param {string[]} keys */
function closure(manifest, keys, seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key) || !manifest[key]) continue
    seen.add(key)
    closure(manifest, manifest[key].imports ?? [], seen)
  }
  return seen
}

/**
 * Downloads as size-limit checks: one for the landing page, one for the console's shell, one for every lazily loaded chunk, one for styles, one for
 * fonts.
 * @param {any} built Vite's manifest, by source path from apps/web @param {(file: string) => string} path
 */
export function groups(built, path = (file) => file) {
  const manifest = named(built)
  const missing = [ENTRY, SITE, CONSOLE, LANDING].filter((key) => !manifest[key])
  if (missing.length) throw new Error(`the build has no ${missing.join(', ')}: name the new chunk in scripts/size/groups.mjs`)
  const files = (/** @type {Iterable<string>} */ keys) =>
    [...new Set([...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))].map(path)
  const landing = closure(manifest, [ENTRY, SITE, LANDING])
  const shell = closure(manifest, [ENTRY, CONSOLE])
  const all = Object.values(manifest)
  const own = (/** @type {string} */ field, /** @type {RegExp} */ ending) =>
    [...new Set(all.flatMap((/** @type {any} */ chunk) => [...(chunk[field] ?? []), chunk.file]).filter((file) => ending.test(file)))].map(path)
  const site = closure(manifest, [ENTRY, SITE])
  const routes = Object.keys(manifest).filter(
    (key) => (manifest[key].isDynamicEntry || LATER.includes(key)) && ![SITE, CONSOLE, LANDING].includes(key) && !NOT_SHIPPED.test(key),
  )
  /** Chunks already loaded when a chunk is requested: those of a layout, or of its page. @param {string} key */
  const before = (key) =>
    WITHIN[key] ? [new Set([...shell, ...closure(manifest, [WITHIN[key]])])] : [site, new Set([...shell, ...closure(manifest, [LAYERS])])]
  const checks = [
    { name: 'landing', limit: BUDGETS.landing, path: files(landing) },
    { name: 'console shell', limit: BUDGETS.console, path: files(shell) },
    ...routes.map((key) => {
      const chunks = [...closure(manifest, [key])]
      const [added] = before(key)
        .map((layout) => new Set([...layout].map((one) => manifest[one].file)))
        .map((there) => chunks.filter((one) => !there.has(manifest[one].file)))
        .sort((a, b) => a.length - b.length)
      return { name: `lazy ${key.replace('../../', '')}`, limit: BUDGETS.route, path: files(added ?? chunks) }
    }),
    { name: 'styles', limit: BUDGETS.css, path: own('css', /\.css$/) },
    { name: 'fonts', limit: BUDGETS.fonts, path: own('assets', /\.woff2$/), gzip: false, brotli: false },
  ]
  return checks.filter((one) => one.path.length).map((one) => ({ gzip: true, ...one }))
}

/**
 * Downloads of the operators' app as size-limit checks: the entry with all its static imports, and every lazily loaded chunk.
 * @param {any} manifest Vite's manifest, by source path from apps/console @param {(file: string) => string} path
 */
export function operatorGroups(manifest, path = (file) => file) {
  if (!manifest[ENTRY]) throw new Error('the build of the operators\u2019 app has no entry')
  const files = (/** @type {Iterable<string>} */ keys) =>
    [...new Set([...keys].map((key) => manifest[key].file).filter((file) => file.endsWith('.js')))].map(path)
  const first = closure(manifest, [ENTRY])
  const later = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry)
  const css = [...new Set(Object.values(manifest).flatMap((/** @type {any} */ chunk) => chunk.css ?? []))].map(path)
  const checks = [
    { name: 'operators: first load', limit: OPERATORS.first, path: files(first) },
    ...later.map((key) => ({
      name: `operators: ${key.replace('../../', '')}`,
      limit: OPERATORS.page,
      path: files([...closure(manifest, [key])].filter((one) => !first.has(one))),
    })),
    { name: 'operators: styles', limit: OPERATORS.css, path: css },
  ]
  return checks.filter((one) => one.path.length).map((one) => ({ gzip: true, ...one }))
}
