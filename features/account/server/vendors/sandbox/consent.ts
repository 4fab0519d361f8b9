import { LANGUAGES, type Lang, pickText } from '#platform/shared/languages.ts'
const TEXTS = {
  zh: {
    title: '选择账号',
    tag: '沙箱，代替 Google',
    about: '这里不验证身份：输入任意邮箱，即以它的身份继续。',
    email: '邮箱',
    go: '继续',
    refuse: '拒绝授权',
    magic: '以 unverified+、expired+、other+、late+ 开头的邮箱会得到不该被接受的回答。',
  },
  en: {
    title: 'Choose an account',
    tag: 'Sandbox, in place of Google',
    about: 'Nothing is checked here: type any address and continue as its owner.',
    email: 'E-mail',
    go: 'Continue',
    refuse: 'Refuse',
    magic: 'Addresses that begin with unverified+, expired+, other+ or late+ get answers that must not be accepted.',
  },
} as const

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The sandbox is another company and brings its own words and look. */
export function consentHtml(lang: Lang, query: Readonly<Record<string, string>>): string {
  const t = pickText(TEXTS, lang)
  const kept = ['client_id', 'redirect_uri', 'state', 'nonce'].map((name) => `<input type="hidden" name="${name}" value="${escape(query[name] ?? '')}">`)
  return `<!doctype html><html lang="${LANGUAGES[lang].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${t.title}</title><style>${STYLE}</style></head>
<body><main><p class="tag">${t.tag}</p><h1>${t.title}</h1><p class="soft">${t.about}</p>
<form method="get" action="/sandbox/google/answer">${kept.join('')}<label for="email">${t.email}</label>
<input id="email" name="email" type="email" autocomplete="off" autofocus value="${escape(query['login_hint'] ?? '')}">
<button class="main" name="action" value="go">${t.go}</button><button name="action" value="refuse" formnovalidate>${t.refuse}</button></form>
<p class="soft">${t.magic}</p></main></body></html>`
}

const STYLE = `:root{color-scheme:light dark;--bg:#f7fbfc;--paper:#fff;--text:#131b1c;--soft:#5f686a;--line:#7e888a;--brand:#16705b;--on:#fff}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f10;--paper:#141819;--text:#ecf1f2;--soft:#909a9c;--line:#616b6d;--brand:#64d6b5;--on:#0b0f10}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:14px/22px -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:min(400px,100% - 32px);margin:32px auto;padding:28px 24px;background:var(--paper);border:1px solid color-mix(in srgb,var(--line) 40%,transparent);border-radius:14px}
h1{margin:12px 0 4px;font-size:20px;line-height:28px}.tag{display:inline-block;margin:0;padding:1px 8px;border-radius:5px;background:color-mix(in srgb,var(--brand) 14%,transparent);color:var(--brand);font-size:12px;line-height:20px}
.soft{color:var(--soft);margin:4px 0}form{display:grid;gap:10px;margin:20px 0}label{font-weight:600}
input,button{min-height:44px;padding:10px 12px;border:1px solid var(--line);border-radius:8px;background:none;color:inherit;font:inherit}
button{font-weight:600;cursor:pointer}button.main{background:var(--brand);border-color:transparent;color:var(--on)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}`
