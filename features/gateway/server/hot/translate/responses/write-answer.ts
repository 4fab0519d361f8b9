import type { Raw } from '../../usage/usage.ts'
import type { NeutralAnswer, AnswerHead } from '../form.ts'
import { buildEndedResponse } from './objects.ts'
import { writeResponsesStream } from './stream.ts'

/** The complete answer equals the object at the end of the stream. */
export function writeResponsesAnswer(answer: NeutralAnswer, head: AnswerHead): Raw {
  const stream = writeResponsesStream(head)
  for (const part of answer.parts) {
    if (part.kind === 'call') {
      stream.said({ kind: 'call', id: part.id, name: part.name, seal: part.seal })
      stream.said({ kind: 'args', text: part.args })
    } else if (part.kind === 'thinking') {
      if (part.text !== '') stream.said({ kind: 'thinking', text: part.text })
      if (part.seal !== undefined) stream.said({ kind: 'seal', seal: part.seal })
    } else stream.said(part)
  }
  return buildEndedResponse(head, answer.stop, stream.items(), answer.usage)
}
