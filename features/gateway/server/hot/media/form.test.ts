import { describe, expect, it } from 'vitest'
import { scanForm } from './form.ts'
import type { FormPart } from './form.ts'

const TYPE = 'multipart/form-data; boundary=XyZ'
const part = (name: string, value: string, more = ''): string => `--XyZ\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const form = (...parts: readonly string[]): string => `${parts.join('')}--XyZ--\r\n`
const scan = (text: string, type = TYPE) => scanForm(Buffer.from(text, 'latin1'), type)
const read = (text: string, type = TYPE): (readonly [string, string, boolean])[] => {
  const parts = scan(text, type)
  if (!Array.isArray(parts)) throw new Error(parts.message)
  return parts.map((one: FormPart) => [one.key, Buffer.from(text, 'latin1').toString('latin1', one.start, one.end), one.isFile] as const)
}

describe('forms', () => {
  it('reads forms as browsers and SDKs write them', async () => {
    expect(read(form(part('model', 'm'), part('file', 'RIFF\r\n\r\n--Xy', '; filename="a.wav"\r\nContent-Type: audio/wav')))).toEqual([
      ['model', 'm', false],
      ['file', 'RIFF\r\n\r\n--Xy', true],
    ])
    const data = new FormData()
    data.append('model', 'whisper-1')
    data.append('file', new Blob(['sound'], { type: 'audio/mpeg' }), '名"字\r\n.mp3')
    const request = new Request('http://x', { method: 'POST', body: data })
    expect(
      read(Buffer.from(await request.clone().arrayBuffer()).toString('latin1'), request.headers.get('content-type')!).map(([name, , isFile]) => [name, isFile]),
    ).toEqual([
      ['model', false],
      ['file', true],
    ])
  })

  it.each([
    ['multipart/form-data; boundary="a b:c"', '--a b:c\r\nContent-Disposition: form-data; name=""\r\n\r\nv\r\n--a b:c--'],
    ['multipart/form-data; charset=utf-8; boundary=b', '--b\r\ncontent-disposition:form-data; name="x"\r\n\r\n\r\n--b--'],
  ])('%s is a boundary', (type, text) => expect(() => read(text.replace('name=""', 'name="x"'), type)).not.toThrow())

  it.each([
    ['no boundary', 'multipart/form-data', form(part('model', 'm'))],
    ['an empty boundary', 'multipart/form-data; boundary=', form(part('model', 'm'))],
    ['another boundary', 'multipart/form-data; boundary=Other', form(part('model', 'm'))],
    ['something before it on its line', TYPE, `hidden${form(part('model', 'm'))}`],
    ['a bare line break before it', TYPE, `hidden\n${form(part('model', 'm'))}`],
    ['parts of its own before it', TYPE, `--XyZ\nContent-Disposition: form-data; name="model"\n\nother\n\r\n${form(part('model', 'm'))}`],
    ['more before it than clients write', TYPE, `${'hidden\r\n'.repeat(1_000)}${form(part('model', 'm'))}`],
    ['something after its end on the same line', TYPE, `${form(part('model', 'm')).trimEnd()}hidden`],
    ['a bare line break after its end', TYPE, `${form(part('model', 'm')).trimEnd()}\nhidden`],
    ['another form after its end', TYPE, `${form(part('model', 'm'))}hidden\r\n${form(part('model', 'other'))}`],
    ['more after its end than clients write', TYPE, `${form(part('model', 'm'))}${'hidden\r\n'.repeat(1_000)}`],
    ['something after its end', TYPE, `${form(part('model', 'm'))}--XyZ\r\n`],
    ['no end', TYPE, part('model', 'm')],
    ['an end within the headers', TYPE, '--XyZ\r\nContent-Disposition: form-data; na'],
    ['headers that never end', TYPE, `--XyZ\r\nContent-Disposition: form-data; name="x"\r\nX: ${'a'.repeat(10_000)}`],
    ['a part without a name', TYPE, form('--XyZ\r\nContent-Type: text/plain\r\n\r\nm\r\n')],
    ['a part with two names', TYPE, form(part('x', 'm', '; name="model"'))],
    ['two dispositions', TYPE, form(part('x', 'm', '\r\nContent-Disposition: form-data; name="model"'))],
    ['an encoded part', TYPE, form(part('model', 'bQ==', '\r\nContent-Transfer-Encoding: base64'))],
    ['a folded header', TYPE, form(part('model', 'm', ';\r\n filename="x"'))],
    ['a bare line break in a header', TYPE, form(part('x', 'm', '\nX: y'))],
    ['a backslash in its name', TYPE, form(part('mo\\"del', 'm'))],
    ['a boundary in the middle of a part', TYPE, form(part('x', 'aaaa--XyZ\r\nContent-Disposition: form-data; name="model"\r\n\r\nother'))],
    ['a boundary behind half a line break', TYPE, form(part('x', 'aaaa\n--XyZ\r\nContent-Disposition: form-data; name="model"\r\n\r\nother'))],
    ['a boundary without a line break of its own', TYPE, form(part('x', 'a--XyZ\r\nContent-Disposition: form-data; name="model"\r\n\r\nother'))],
    ['a boundary behind a bare line break', TYPE, form(part('x', 'a\n--XyZ\nContent-Disposition: form-data; name="model"\n\nother'))],
    ['a boundary in place of content', TYPE, '--XyZ\r\nContent-Disposition: form-data; name="x"\r\n\r\n--XyZ--\r\n'],
    ['a longer boundary within', TYPE, form(part('x', 'a\r\n--XyZzz'))],
    ['hundreds of parts', TYPE, form(...Array.from({ length: 300 }, (_, at) => part(`p${at}`, 'v')))],
    ['a line feed alone after a boundary', TYPE, '--XyZ\nContent-Disposition: form-data; name="model"\r\n\r\nm\r\n--XyZ--'],
  ])('%s is refused', (_, type, text) => expect(scan(text, type)).toHaveProperty('message'))

  it.each([
    ['a preamble', `This is a form.\r\n${form(part('model', 'm'))}`],
    ['an empty line before it', `\r\n${form(part('model', 'm'))}`],
    ['a second line break at its end', `${form(part('model', 'm'))}\r\n`],
    ['an epilogue', `${form(part('model', 'm'))}That was a form.\r\n`],
    ['spaces behind its last boundary', `${form(part('model', 'm')).trimEnd()} \t\r\n`],
    ['no line break at its end', form(part('model', 'm')).trimEnd()],
  ])('%s is ignored', (_, text) => expect(read(text)).toEqual([['model', 'm', false]]))

  it("a file's name cannot pass for the part's, and names are not decoded", () => {
    expect(read(form(part('file', 'x', `; filename="a\\"; name=\\"model"`))).map(([name]) => name)).toEqual(['file'])
    expect(read(form(`--XyZ\r\nContent-Disposition: form-data; filename="; name=model"; name="file"\r\n\r\nx\r\n`)).map(([name]) => name)).toEqual(['file'])
    expect(read(form(part('mo%64el', 'x'))).map(([name]) => name)).toEqual(['mo%64el'])
  })

  it('every cut of a good form is refused, and none hangs', () => {
    const text = form(part('model', 'm'), part('file', 'RIFF', '; filename="a.wav"'))
    for (let at = 0; at < text.length - 2; at++) expect([at, Array.isArray(scan(text.slice(0, at)))]).toEqual([at, false])
  })

  // a scan that goes back would take hours
  it('twenty megabytes of near misses take no time', () => {
    const body = Buffer.from(form(part('file', '\r\n--XyY'.repeat(3_000_000), '; filename="a.wav"')), 'latin1')
    expect(Array.isArray(scanForm(body, TYPE))).toBe(true)
  })
})
