import sanitize from 'sanitize-html'

const MAX_HTML_LENGTH = 1_000_000
/** Maximum nesting: its cost is quadratic, and a newsletter has a few thousand tags. */
const MAX_TAGS = 15_000
const COLOUR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d\s.,%]{1,40}\)$/i]
const SIZE = [/^-?\d{1,4}(\.\d{1,3})?(px|em|rem|pt|%)?$/, /^(auto|normal|inherit)$/]
const SIZES = [/^(-?\d{1,4}(\.\d{1,3})?(px|em|rem|pt|%)?|auto)(\s+(-?\d{1,4}(\.\d{1,3})?(px|em|rem|pt|%)?|auto)){0,3}$/]
const WORD = [/^[a-z -]{1,40}$/i]
const BORDER = [/^[\w\s#.(),%-]{1,60}$/]

/** Allowed style values: words, numbers and colours; no url(), no position, nothing that leaves its place. */
const STYLES: Record<string, RegExp[]> = {
  'color': COLOUR,
  'background-color': COLOUR,
  'background': COLOUR,
  'font-size': SIZE,
  'font-weight': [/^(\d{3}|normal|bold|bolder|lighter)$/],
  'font-style': WORD,
  'font-family': [/^[\w\s,'"-]{1,120}$/],
  'letter-spacing': SIZE,
  'line-height': SIZE,
  'text-align': WORD,
  'text-decoration': WORD,
  'vertical-align': WORD,
  'width': SIZE,
  'max-width': SIZE,
  'height': SIZE,
  'margin': SIZES,
  'margin-top': SIZE,
  'margin-bottom': SIZE,
  'margin-left': SIZE,
  'margin-right': SIZE,
  'padding': SIZES,
  'padding-top': SIZE,
  'padding-bottom': SIZE,
  'padding-left': SIZE,
  'padding-right': SIZE,
  'border': BORDER,
  'border-top': BORDER,
  'border-bottom': BORDER,
  'border-radius': SIZES,
  'border-collapse': WORD,
} as const

function truncateHtml(html: string): string {
  let at = -1
  for (let tags = 0; tags < MAX_TAGS; tags++) if ((at = html.indexOf('<', at + 1)) < 0) return html.slice(0, MAX_HTML_LENGTH)
  return html.slice(0, Math.min(at, MAX_HTML_LENGTH))
}

/** Small pictures attached to the mail, by content id. */
export type InlineImages = ReadonlyMap<string, { readonly type: string; readonly base64: string }>

/** Limit of base64 in the result, as a page may show one picture thousands of times. */
const MAX_INLINE_CHARACTERS = 6_000_000
const INLINE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/**
 * Cleans a mail's HTML so that it runs nothing, requests nothing, and cannot imitate our page: pictures come from the mail itself, links
 * show their target and open in a new tab, forms and frames are removed. `blocked` counts the URLs that would have been loaded.
 */
export function cleanHtml(html: string, inline: InlineImages): { readonly html: string; readonly blocked: number } {
  let blocked = 0
  let shown = 0
  const clean = sanitize(truncateHtml(html), {
    allowedTags: [
      ...['a', 'b', 'blockquote', 'br', 'caption', 'center', 'code', 'col', 'colgroup', 'dd', 'del', 'div', 'dl', 'dt', 'em', 'font', 'h1', 'h2', 'h3', 'h4'],
      ...[
        'h5',
        'h6',
        'hr',
        'i',
        'img',
        'ins',
        'li',
        'ol',
        'p',
        'pre',
        's',
        'small',
        'span',
        'strong',
        'sub',
        'sup',
        'table',
        'tbody',
        'td',
        'tfoot',
        'th',
        'thead',
        'tr',
        'u',
        'ul',
      ],
    ],
    allowedAttributes: {
      'a': ['href', 'rel', 'target', 'title', 'style'],
      'img': ['src', 'alt', 'width', 'height', 'style'],
      'font': ['color', 'size'],
      'td': ['colspan', 'rowspan', 'width', 'height', 'align', 'valign', 'bgcolor', 'style'],
      'th': ['colspan', 'rowspan', 'width', 'height', 'align', 'valign', 'bgcolor', 'style'],
      'table': ['width', 'align', 'bgcolor', 'cellpadding', 'cellspacing', 'border', 'style'],
      '*': ['style', 'dir', 'lang', 'align'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    allowedStyles: { '*': STYLES },
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'iframe', 'object', 'svg', 'math', 'template'],
    nestingLimit: 60,
    transformTags: {
      a: (_tag, { href = '', title }) => ({
        tagName: 'a',
        attribs: {
          ...(/^(https?:|mailto:)/i.test(href.trim()) ? { href: href.trim(), target: '_blank', rel: 'noopener noreferrer nofollow' } : {}),
          ...(title ? { title } : {}),
        },
      }),
      img: (_tag, { src = '', alt = '', width = '', height = '' }) => {
        const found = /^cid:/i.test(src) ? inline.get(src.slice(4).replace(/^<|>$/g, '')) : undefined
        const size = { ...(/^\d{1,4}$/.test(width) ? { width } : {}), ...(/^\d{1,4}$/.test(height) ? { height } : {}) }
        if (found && INLINE_TYPES.has(found.type) && (shown += found.base64.length) <= MAX_INLINE_CHARACTERS)
          return { tagName: 'img', attribs: { src: `data:${found.type};base64,${found.base64}`, alt, ...size } }
        if (src) blocked++
        return { tagName: 'span', attribs: {}, text: alt.slice(0, 200) }
      },
    },
  })
  blocked += (html.match(/\burl\s*\(|\bbackground\s*=|<link\b|@import/gi) ?? []).length
  return { html: clean, blocked }
}
