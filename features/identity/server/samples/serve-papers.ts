import { allowsSandbox } from '#platform/server/config.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { aSamplePerson, drawIdBack, drawIdFront, drawHolder, drawPassport } from './draw-papers.ts'

const DRAW_BY_SIDE = { idFront: drawIdFront, idBack: drawIdBack, passport: drawPassport, photo: drawHolder } as const
const NOT_FOUND = { status: 404, type: 'text/plain', body: 'no such page' }

/**
 * Sample documents for the demo: pictures of the n-th made-up person and of their papers. A header carries the person's name. Served only
 * if the sandbox checks faces.
 */
export const samplePapers: RawRoute = {
  method: 'GET',
  path: '/sandbox/papers/{n}/{side}',
  role: 'sandbox',
  handle: async (deps, { params }) => {
    const draw = DRAW_BY_SIDE[params['side'] as keyof typeof DRAW_BY_SIDE]
    if (!allowsSandbox(deps.config, 'identity') || !draw || !/^\d{1,5}$/.test(params['n'] ?? '')) return NOT_FOUND
    const person = aSamplePerson(Number(params['n']))
    return {
      status: 200,
      type: 'image/jpeg',
      body: await draw(person),
      headers: { 'x-sample-name': encodeURIComponent(person.name), 'cache-control': 'no-store' },
    }
  },
}
