import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every setting says in Chinese what it means, and no word is left over', () => {
  const words = JSON.parse(readFileSync(join(ROOT, 'features/backoffice/console/settings/about.zh.json'), 'utf8')) as Record<string, string>
  const keys = features.flatMap(({ settings = [] }) => settings.map(({ key }) => key))
  expect(keys.length).toBeGreaterThan(150)
  expect(keys.filter((key) => !/[\u4e00-\u9fff]/.test(words[key] ?? ''))).toEqual([])
  expect(Object.keys(words).filter((key) => !keys.includes(key))).toEqual([])
})
