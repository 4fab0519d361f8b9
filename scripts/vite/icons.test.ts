import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as lucide from 'lucide-react'
import { createIconsPlugin, listIconImports } from './icons.ts'

test('reads names from imports of any shape', () => {
  const source = `import { Bug, X as Close, type LucideIcon } from 'lucide-react'\nimport {\n  Plus,\n} from 'lucide-react'\nimport { Y } from 'other'`
  expect(listIconImports(source)).toEqual(['Bug', 'X', 'Plus'])
})

test('every icon in use exists', () => {
  const code = createIconsPlugin(join(import.meta.dirname, '../..')).load('\0virtual:icons') ?? ''
  const names = [...code.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !(name in lucide))).toEqual([])
})
