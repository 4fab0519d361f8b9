import { moveEdges } from '../media/edges.ts'
import { isForm } from '../media/form.ts'
import { findRequestField, readRequestFields } from '../media/fields.ts'
import { spliceBody } from '../json/notes.ts'
import { isProblem } from '../problem.ts'
import type { FieldProblem } from '../problem.ts'

const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** The body with the model that its path names, which counts whatever the body says: so it is where paths name models. */
export function setPathModel(body: Buffer, model: string, contentType: string): Buffer | FieldProblem {
  // A model's name must fit into a form's header.
  if (!/^[!-~]{1,200}$/.test(model)) return { field: 'model', message: 'The model in the path is no name of a model.' }
  const fields = readRequestFields(body, contentType, ['model'], true)
  if (isProblem(fields)) return fields
  if (fields.members.filter((member) => member.key === 'model').length > 1) return { field: 'model', message: '`model` is there more than once.' }
  const at = findRequestField(fields, 'model') ?? fields.members.find((member) => member.key === 'model')
  if (at !== undefined) return replaceBytes(body, at.start, at.end, fields.isForm ? model : JSON.stringify(model))
  if (isForm(contentType)) return replaceBytes(body, 0, 0, formatModelPart(body, model))
  const open = body.indexOf(OPEN_OBJECT)
  let next = open + 1
  while (body[next]! <= 32) next++
  return replaceBytes(body, open + 1, open + 1, `"model":${JSON.stringify(model)}${body[next] === CLOSE_OBJECT ? '' : ','}`)
}

/** A part of its own before the others. */
function formatModelPart(body: Buffer, model: string): string {
  const boundary = body.toString('latin1', body.indexOf('--'), body.indexOf('\r\n', body.indexOf('--')))
  return `${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${model}\r\n`
}

function replaceBytes(body: Buffer, start: number, end: number, text: string): Buffer {
  const made = spliceBody(body, [{ start, end, text }])
  moveEdges(body, made, { start, end, madeEnd: start + Buffer.byteLength(text) })
  return made
}
