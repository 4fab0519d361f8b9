import { expect, test } from 'vitest'
import { z } from 'zod'
import { collectCommands } from '#platform/server/feature.ts'
import { commandRequestFields } from '#features/backoffice/contract-commands.console.ts'
import { features } from './features.ts'

/** Fields for which an empty text is meaningless: it is refused like a missing one. */
const MUST_SAY = /\.(?:id|\w+Id|key|path|link|sign|until|confirm|password|orderType|consentVersion|tier|state|service|value)$/

// Pages omit empty values from requests (platform/web/calls/api.ts), so a text that may be empty must also be optional.
const listRequiredTexts = (name: string, schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, one]) =>
        one.safeParse('').success && !one.safeParse(undefined).success && !MUST_SAY.test(`.${field}`) ? [`${name}.${field}`] : [],
      )
    : []

test('no endpoint refuses an empty text that its pages leave out', () => {
  const calls = features.flatMap(({ routes = [], consoleRoutes = [] }) => [...routes, ...consoleRoutes].flatMap(({ contract }) => Object.values(contract)))
  expect(calls.length).toBeGreaterThan(300)
  expect(calls.flatMap(({ method, path, input }) => listRequiredTexts(`${method} ${path}`, input))).toEqual([])
})

test('no operator command refuses an empty text that its pages leave out', () => {
  const commands = [...collectCommands(features).values()]
  expect(commands.length).toBeGreaterThan(60)
  expect([
    ...listRequiredTexts('every command', z.object(commandRequestFields)),
    ...commands.flatMap(({ name, input }) => listRequiredTexts(name, input)),
  ]).toEqual([])
})
