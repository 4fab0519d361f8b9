import type { StandInRequest } from '../kit/server.ts'

export interface S3Form {
  readonly fields: Readonly<Record<string, string>>
  /** Names in the order in which they arrived. */
  readonly order: readonly string[]
  readonly file: Buffer | undefined
}

/** Parts of a form (RFC 7578); undefined if it is not well-formed. */
export function readS3Form({ headers, bytes }: Pick<StandInRequest, 'headers' | 'bytes'>): S3Form | undefined {
  const boundary = /^multipart\/form-data; ?boundary=("?)([^"]+)\1$/.exec(String(headers['content-type']))?.[2]
  if (!boundary) return undefined
  const fields: Record<string, string> = {}
  const order: string[] = []
  let file: Buffer | undefined
  const text = bytes.toString('latin1')
  const parts = `\r\n${text}`.split(`\r\n--${boundary}`)
  if (parts[0] !== '' || !parts.at(-1)!.startsWith('--')) return undefined
  for (const part of parts.slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const name = /name="([^"]*)"/.exec(head)?.[1]
    if (name === undefined) return undefined
    const value = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
    order.push(name)
    if (name === 'file') file = value
    else fields[name] = value.toString('utf8')
  }
  return { fields, order, file }
}
