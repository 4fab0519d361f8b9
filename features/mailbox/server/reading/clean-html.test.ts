import { expect, it } from 'vitest'
import { cleanHtml } from './clean-html.ts'

const PNG = 'iVBORw0KGgo='
const inline = new Map([
  ['logo@x', { type: 'image/png', base64: PNG }],
  ['evil@x', { type: 'image/svg+xml', base64: 'PHN2Zz4=' }],
])
/** HTML that would make a browser load or run something. */
const LOADS =
  /\ssrc=|\bsrcset=|url\(|@import|<link|<script|<iframe|<object|<embed|<form|<input|<meta|<base|<svg|<video|<audio|\son\w+=|javascript:|vbscript:|expression\(|background=/i

it.each([
  ['<img src="https://track.example/p.gif?u=1" width=1 height=1>'],
  ['<img src=//track.example/p.gif>'],
  ['<img srcset="https://t.example/a 1x">'],
  ['<IMG SRC="jav&#x09;ascript:alert(1)">'],
  ['<script>fetch("https://t.example")</script>after'],
  ['<svg/onload=alert(1)><image href=https://t.example/x /></svg>'],
  ['<a href="javascript:alert(1)" onclick=alert(1)>x</a>'],
  ['<div style="background:url(https://t.example/x)">a</div>'],
  ['<div style="background-image:url(https://t.example/x);color:red">a</div>'],
  ['<div style="color:expression(alert(1))">a</div>'],
  ['<p style="position:fixed;top:0;left:0;width:100%">login</p>'],
  ['<style>@import "https://t.example/x.css"; body{background:url(//t.example)}</style>b'],
  ['<link rel=stylesheet href=https://t.example/x.css>'],
  ['<meta http-equiv=refresh content="0;url=https://t.example">'],
  ['<base href=https://t.example/><a href=x>y</a>'],
  ['<iframe src=https://t.example></iframe><object data=x></object><embed src=x>'],
  ['<form action=https://t.example><input name=password></form>'],
  ['<table background="https://t.example/x"><tr><td background=//t.example>z</td></tr></table>'],
  ['<video poster=https://t.example/x src=y autoplay></video><audio src=z></audio>'],
  ['<img src="data:image/svg+xml;base64,PHN2Zz4=">'],
  ['<img src="data:text/html;base64,PHNjcmlwdD4=">'],
  ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>'],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>'],
  ['<img src="cid:evil@x">'],
  ['<<script>script>alert(1)</script>'],
  ['<a href="data:text/html,<script>alert(1)</script>">x</a>'],
])('%s loads and runs nothing', (html) => {
  expect(cleanHtml(html, inline).html).not.toMatch(LOADS)
})

it('keeps words, tables, colours and embedded pictures; links open in a new tab', () => {
  const { html, blocked } = cleanHtml(
    '<table width="600"><tr><td style="color:#16705b;padding:4px 8px" align="center"><b>739204</b></td></tr></table><img src="cid:logo@x" alt="Logo"><a href="https://openai.com/x?a=1&b=2">open</a><img src="https://t.example/p.gif" alt="pixel">',
    inline,
  )
  expect(html).toContain('<td style="color:#16705b;padding:4px 8px" align="center"><b>739204</b></td>')
  expect(html).toContain(`<img src="data:image/png;base64,${PNG}" alt="Logo" />`)
  expect(html).toContain('<a href="https://openai.com/x?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">open</a>')
  expect(html).toContain('pixel')
  expect(blocked).toBe(1)
})

it('200,000 nested tags are cleaned within 20 seconds', () => {
  const before = performance.now()
  expect(cleanHtml('<div>'.repeat(200_000), inline).html.length).toBeLessThan(3_000_000)
  expect(performance.now() - before).toBeLessThan(20_000)
})
