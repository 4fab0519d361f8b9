import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FORM_PARTS, walkEdges, moveEdges, createEdgeWalk, noteEdges } from './edges.ts'
import { scanForm } from './form.ts'
import { setPathModel } from '../request/read-request.ts'

const TYPE = 'multipart/form-data; boundary=-a'
const DELIMITER = Buffer.from('---a')
const part = (name: string, value: string): string => `---a\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** The body after a walk of it, received in pieces. */
function walkInPieces(text: string, pieces: readonly number[] = []): Buffer {
  const body = Buffer.from(text, 'latin1')
  const walk = createEdgeWalk(DELIMITER)
  for (const to of [...pieces.map((at) => at % (body.length + 1)).toSorted((a, b) => a - b), body.length]) while (walkEdges(walk, body, to));
  noteEdges(body, walk)
  return body
}

const content = fc
  .array(fc.constantFrom('-', '--', 'a', '---', '---a', '\r\n', '\r\n---a', '\r\n---a--', 'x', part('b', 'c')), { maxLength: 12 })
  .map((all) => all.join(''))
const forms = fc.tuple(fc.constantFrom('', 'x\r\n', '-'), content, content, fc.constantFrom('---a--\r\n', '', '---a--\r\n---a'))
const text = ([before, one, other, end]: readonly [string, string, string, string]): string => before + part('model', one) + part('file', other) + end

describe('boundaries that were noted while a form came', () => {
  it('are those that a search of the whole form finds, however it came', () => {
    fc.assert(
      fc.property(forms, fc.array(fc.nat(), { maxLength: 5 }), (form, pieces) => {
        expect(scanForm(walkInPieces(text(form), pieces), TYPE)).toEqual(scanForm(Buffer.from(text(form), 'latin1'), TYPE))
      }),
      { numRuns: 1_000 },
    )
  })

  it('move with the model that a path writes into the form, even one that holds the boundary', () => {
    fc.assert(
      fc.property(forms, fc.constantFrom('m', 'a-longer-name', '---a', '-', 'a', 'x---a--'), fc.boolean(), (form, model, isNamed) => {
        const body = isNamed ? text(form) : text(form).replace('"model"', '"other"')
        const made = setPathModel(walkInPieces(body), model, TYPE)
        const plain = setPathModel(Buffer.from(body, 'latin1'), model, TYPE)
        expect(made).toEqual(plain)
        if (Buffer.isBuffer(made) && Buffer.isBuffer(plain)) expect(scanForm(made, TYPE)).toEqual(scanForm(plain, TYPE))
      }),
      { numRuns: 1_000 },
    )
  })

  it('are searched no further than the accepted number of parts', () => {
    const body = Buffer.from('---a'.repeat(1_000_000))
    const walk = createEdgeWalk(DELIMITER)
    expect([walkEdges(walk, body, body.length), walk.isTooMany, walk.found.length]).toEqual([false, true, MAX_FORM_PARTS + 2])
    noteEdges(body, walk)
    const other = Buffer.from('x')
    moveEdges(body, other, { start: 0, end: 0, madeEnd: 0 })
    expect(scanForm(other, TYPE)).toMatchObject({ message: expect.stringContaining('does not begin') })
  })
})
