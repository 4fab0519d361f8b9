import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const TEST_CODE = /\.test\.ts$|builders\.ts$|\/(testing|seeds)\//

test('every action that the server writes to the audit has a name in the operators’ app', () => {
  const files = globSync('{features,platform,apps}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  const written = new Set(
    files
      .filter((file) => !TEST_CODE.test(file))
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\.audit\(\s*'([\w.-]+)'/g)].map((match) => match[1]!)),
  )
  const named = JSON.parse(readFileSync(join(ROOT, 'features/backoffice/console/messages/words.zh.json'), 'utf8')) as Record<string, string>
  expect(written.size).toBeGreaterThan(150)
  expect([...written].filter((action) => !(`action_${action}` in named)).toSorted()).toEqual([])
})
