import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const LITERAL = /name: '([a-z]+\.[\w-]+)',\s*texts\b/g
const MADE = /name: `([a-z]+\.[\w-]*)\$\{name\}`/g

/** Resolves a template's name, or the names of the union type from which a file builds its own. */
function listTemplateNames(text: string): string[] {
  const union = /(?:type Name =|\(name:)((?:\s*\|?\s*'[\w-]+')+)/.exec(text)?.[1] ?? ''
  const parts = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!)
  return [...[...text.matchAll(LITERAL)].map(([, name]) => name!), ...[...text.matchAll(MADE)].flatMap(([, before]) => parts.map((part) => before! + part))]
}

test('every mail has a name in the operators’ app, in both languages', () => {
  const files = globSync('features/*/server/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const mails = new Set(files.flatMap((file) => listTemplateNames(readFileSync(join(ROOT, file), 'utf8'))))
  expect(mails.size).toBeGreaterThan(70)
  for (const lang of ['zh', 'en']) {
    const named = JSON.parse(readFileSync(join(ROOT, `features/backoffice/console/messages/words.${lang}.json`), 'utf8')) as Record<string, string>
    expect([...mails].filter((name) => !(`action_${name}` in named)).toSorted()).toEqual([])
  }
})
