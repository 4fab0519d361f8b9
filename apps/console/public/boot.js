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
  /* [id, tag, path, script] of each language, the default one first (scripts/vite/languages.ts). */
  var languages = JSON.parse(root.getAttribute('data-langs'))
  var cookie = /(?:^|; )lang=(\w+)/.exec(document.cookie)
  var chosen = read('mx.lang') || (cookie && cookie[1])
  var language = languages[0]
  for (var n = 0; n < languages.length; n++) if (languages[n][0] === chosen) language = languages[n]
  root.lang = language[1]
  root.setAttribute('data-script', language[3])
  root.className = matchMedia('(max-width: 720px)').matches ? 'mobile' : 'pc'
  /* zod compiles parsers with eval where it may; the policy forbids it, so it should not try. */
  window.__zod_globalConfig = { jitless: true }
})()
