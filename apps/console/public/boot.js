/* Runs before the first paint: theme, language and device, so that nothing flashes. Keys as in platform/web/theme.ts and i18n.ts. */
;(function () {
  var root = document.documentElement
  var read = function (key) {
    try {
      return localStorage.getItem(key)
    } catch (_) {
      return null
    }
  }
  var theme = read('mx.theme')
  var dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-theme', dark ? 'dark' : 'light')
  var cookie = /(?:^|; )lang=(zh|en)/.exec(document.cookie)
  var lang = read('mx.lang') || (cookie && cookie[1])
  root.lang = lang === 'en' ? 'en' : 'zh-CN'
  root.className = (lang === 'en' ? 'lang-en' : 'lang-zh') + (matchMedia('(max-width: 720px)').matches ? ' mobile' : ' pc')
  /* zod compiles parsers with eval where it may; the policy forbids it, so it should not try. */
  window.__zod_globalConfig = { jitless: true }
})()
