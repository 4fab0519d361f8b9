import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIGURE_SOURCES, FIGURES } from '../contract-figures.ts'

const ROOT = join(import.meta.dirname, '../../..')
const contracts = readdirSync(join(ROOT, 'features'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[^/]+\/contract[^/]*\.ts$/.test(name))
  .map((name) => readFileSync(join(ROOT, 'features', name), 'utf8'))
  .join('\n')

test('every figure names a call of some contract', () => {
  const unknown = Object.values(FIGURE_SOURCES)
    .map(({ call }) => call.split(' ')[1]!)
    .filter((path) => !contracts.includes(`'${path}'`))
  expect([...new Set(unknown)]).toEqual([])
})

test('a figure is called by its own name', () => {
  for (const [name, figure] of Object.entries(FIGURES)) expect(figure).toBe(name)
})

test('every figure of the list stands on some page', () => {
  const pages = ['features', 'apps/web'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx$/.test(name) && !name.includes('node_modules'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  )
  const code = pages.join('\n')
  expect(Object.keys(FIGURES).filter((name) => !code.includes(`FIGURES['${name}']`))).toEqual([])
})
