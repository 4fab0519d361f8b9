import { TRIES } from '../challenges.ts'
import type { Reply } from '../web/http.ts'
import type { Challenge } from '../model.ts'
import { escape } from '../web/tokens.ts'
import { document, dollars } from './page.ts'
import { texts } from './texts.ts'
import type { PageLang } from '../web/languages.ts'

/** Page where the holder types the code that another channel delivered. */
export function challengePage(lang: PageLang, { ref, merchant, minor, tries }: Challenge): Reply {
  const t = texts[lang]
  const left = TRIES - tries
  const note = tries ? `<p class="note" role="alert">${t.wrongCode} ${left}${t.times && ` ${t.times}`}</p>` : ''
  return document(
    lang,
    `<div class="narrow"><div class="outline"><div class="receipt"><p class="who">${escape(merchant.name)}</p><p class="soft small">${escape(`${merchant.city} ${merchant.country}`)}</p><p class="sum">${dollars(minor)}</p>${note}<h2>${t.challengeTitle}</h2><p class="soft">${t.challengeAbout}</p><form method="post" action="/shop/challenge/${ref}"><label class="field"><span>${t.code}</span><input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" pattern="[0-9]{6}" required autofocus></label><button class="main">${t.confirm}</button></form><p><a href="/shop">${t.back}</a></p></div></div></div>`,
  )
}
