import { expect, test } from 'vitest'
import { commonErrors } from '#platform/shared/errors.ts'
import { features } from '../features.ts'

test('no error number means two things: clients go by the number', () => {
  const declared = [
    commonErrors,
    ...features.flatMap(({ errors, routes = [], consoleRoutes = [] }) => [errors, ...[...routes, ...consoleRoutes].map((one) => one.errors)]),
  ]
  const names = new Map<number, Set<string>>()
  for (const errors of declared) for (const [name, { code }] of Object.entries(errors ?? {})) names.set(code, (names.get(code) ?? new Set()).add(name))
  expect(names.size).toBeGreaterThan(250)
  expect([...names].filter(([, each]) => each.size > 1).map(([code, each]) => `${code}: ${[...each].join(', ')}`)).toEqual([])
})
