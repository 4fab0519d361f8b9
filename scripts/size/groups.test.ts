import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Check {
  readonly name: string
  readonly limit: string
  readonly path: readonly string[]
  readonly gzip: boolean
}
const { groups } = (await import(join(import.meta.dirname, 'groups.mjs'))) as { groups: (manifest: object, path?: (file: string) => string) => Check[] }

const chunk = (file: string, imports: readonly string[] = [], more: object = {}) => ({ file: `${file}.js`, imports, ...more })
const lazy = { isDynamicEntry: true }
const manifest = {
  'index.html': chunk('index', ['_react'], { isEntry: true, css: ['index.css'], assets: ['geist.woff2', 'logo.svg'] }),
  '_react': chunk('react'),
  '_menu': chunk('menu', ['_react']),
  '_form': chunk('form', ['_react', '_menu']),
  '_site-1.js': chunk('site-layout', ['index.html'], { name: 'site' }),
  '_console-1.js': chunk('console-layout', ['index.html', '_menu'], { name: 'console' }),
  '_layers-1.js': chunk('layers', ['_react'], { name: 'layers' }),
  '../../features/wallet/web/dialog.tsx': chunk('dialog', ['_layers-1.js', '_form'], lazy),
  '_landing-1.js': chunk('landing', ['_react'], { name: 'landing' }),
  '_below-1.js': chunk('below', ['_react', '_form'], { name: 'below' }),
  '../../features/wallet/web/index.tsx': chunk('wallet', ['index.html', '_form'], lazy),
  '../../features/gateway/web/overview/overview.tsx': chunk('overview', ['index.html', '_form'], lazy),
  '../../features/gateway/web/overview/spend-chart.tsx': chunk('chart', ['_form', '_d3'], lazy),
  '_d3': chunk('d3'),
  'dev-ui/dev-ui.tsx': chunk('dev-ui', [], lazy),
}
const paths = (name: string) => groups(manifest).find((one) => one.name === name)?.path

describe('size groups', () => {
  test('a page is its entry, its layout and all they import', () => {
    expect(paths('landing')).toEqual(['index.js', 'react.js', 'site-layout.js', 'landing.js'])
    expect(paths('console shell')).toEqual(['index.js', 'react.js', 'console-layout.js', 'menu.js'])
  })
  test('a lazy chunk is what it adds to its layout', () => {
    expect(paths('lazy features/wallet/web/index.tsx')).toEqual(['wallet.js', 'form.js'])
  })
  test('code that dialogs share counts for no dialog', () => {
    expect(paths('lazy features/wallet/web/dialog.tsx')).toEqual(['dialog.js', 'form.js'])
  })
  test('a part of a page is what it adds to the page', () => {
    expect(paths('lazy features/gateway/web/overview/spend-chart.tsx')).toEqual(['chart.js', 'd3.js'])
  })
  test('code that the landing page loads later counts on its own', () => {
    expect(paths('lazy below')).toEqual(['below.js', 'form.js'])
  })
  test('styles and fonts have their own', () => {
    expect(paths('styles')).toEqual(['index.css'])
    expect(paths('fonts')).toEqual(['geist.woff2'])
  })
  test('the board for developers is in no group', () => {
    expect(
      groups(manifest)
        .map((one) => one.name)
        .join(),
    ).not.toContain('dev-ui')
  })
  test('a chunk that was renamed is not silently left out', () => {
    const { '_site-1.js': _gone, ...rest } = manifest
    expect(() => groups(rest)).toThrow('site')
  })
})
