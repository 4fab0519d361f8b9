import { expect, test } from 'vitest'
import { services } from '#features/site/web/services.ts'
import { navLines, navZones } from './zones.ts'

test('menu and hub put each service into the same zone, and the API is independent', () => {
  const inMenu = new Map(navZones.flatMap(({ id, lines: own }) => own.flatMap((line) => ('service' in line ? [[String(line.service), id] as const] : []))))
  const inHub = new Map(services.map(({ id, zone }) => [String(id), zone] as const))
  // The menu has the API's pages in a separate zone.
  expect([inHub.get('api'), inMenu.has('api')]).toEqual(['independent', false])
  for (const [id, zone] of inMenu) if (inHub.has(id)) expect([id, inHub.get(id)]).toEqual([id, zone])
  expect(
    [...inHub.keys()].filter((id) => id !== 'api' && !inMenu.has(id)),
    'of the hub and not in the menu',
  ).toEqual([])
  expect(new Set(navLines.map(({ id }) => id)).size, 'the palette finds each line once').toBe(navLines.length)
})
