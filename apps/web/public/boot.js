/* Runs before the first paint: theme, language and device, so that nothing flashes. The server puts it
   into the document and its hash into the content security policy. Keys as in platform/web/theme.ts and i18n.ts. */
;(function () {
  /* First, and in words that the oldest browser reads: the rest of the page may not run there at all. */
  var tooOld =
    '\u6d4f\u89c8\u5668\u7248\u672c\u8fc7\u4f4e\uff0c\u9875\u9762\u53ef\u80fd\u65e0\u6cd5\u4f7f\u7528\uff0c\u8bf7\u5347\u7ea7\u6216\u66f4\u6362\u6d4f\u89c8\u5668\u3002 This browser is too old for this site. Please upgrade it or use another one.'
  if (document.documentMode) window.alert(tooOld)
  if (typeof CSSLayerBlockRule === 'undefined') {
    document.addEventListener('DOMContentLoaded', function () {
      var bar = document.createElement('div')
      var close = document.createElement('button')
      bar.id = 'old-browser'
      bar.setAttribute('role', 'alert')
      bar.style.cssText = 'padding:10px 20px;background:#985b0b;color:#fff;font:14px/22px sans-serif;text-align:center'
      bar.appendChild(document.createTextNode(tooOld + ' '))
      close.textContent = '\u77e5\u9053\u4e86 OK'
      close.style.cssText = 'margin-left:8px;padding:4px 12px;border:1px solid #fff;background:none;color:#fff;font:inherit;cursor:pointer'
      close.onclick = function () {
        bar.parentNode.removeChild(bar)
      }
      bar.appendChild(close)
      document.body.insertBefore(bar, document.body.firstChild)
    })
  }
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
  /* A public page has an address in each language, and its address decides; a reader with another choice is led to that page first. */
  var path = location.pathname
  var named = languages.filter(function (one) {
    return one[2] && (path + '/').indexOf(one[2] + '/') === 0
  })[0]
  if (named) language = named
  else if (root.hasAttribute('data-page')) {
    if (language[2]) {
      root.setAttribute('data-leaving', '')
      location.replace(language[2] + (path === '/' ? '' : path) + location.search + location.hash)
    } else language = languages[0]
  }
  /* The frame of the console is drawn for somebody who is signed in, in the language of the cookie: others see the page when it is there. */
  var frame = root.getAttribute('data-frame')
  if (frame && (frame !== language[0] || !read('mx.session'))) root.setAttribute('data-bare', '')
  /* The page's first call, sent while its code is still on the way (platform/web/calls/early-call.ts); the session as storage.ts keeps it. */
  if (frame && !root.hasAttribute('data-bare')) {
    try {
      var mixed = atob(read('mx.session'))
      var text = ''
      for (var i = 0; i < mixed.length; i++) text += String.fromCharCode(mixed.charCodeAt(i) ^ 'mingxi'.charCodeAt(i % 6))
      var session = JSON.parse(decodeURIComponent(text))
      var headers = { accessToken: session.v, clientType: matchMedia('(max-width: 720px)').matches ? '2' : '1', language: language[0], ver: 'boot' }
      var url = root.getAttribute('data-early')
      if (session.e > Date.now()) window.__early = { url: url, token: session.v, reply: fetch(url, { headers: headers, credentials: 'omit' }) }
      window.__early.reply.catch(function () {})
    } catch (_) {}
  }
  /* On a slow line the system's own fonts: 50 kB less before the first figure, and no letter changes its shape. */
  var line = navigator.connection
  if (line && (line.saveData || /[23]g/.test(line.effectiveType))) root.setAttribute('data-lean', '')
  root.lang = language[1]
  root.setAttribute('data-script', language[3])
  root.className = matchMedia('(max-width: 720px)').matches ? 'mobile' : 'pc'
  /* A page that the server drew can be pressed before its code is here: main.tsx presses the last button again. */
  document.addEventListener('click', function (event) {
    var button = event.target && event.target.closest && event.target.closest('#root button')
    if (button && !root.hasAttribute('data-live')) window.__pressed = button
  })
  /* What stood above the page last time (apps/web/overlays/strip-place.ts) has its place before it comes. */
  var strip = /^(\d+):([\d.]{1,6})$/.exec(read('mx.strip.' + (root.hasAttribute('data-page') ? 'site' : 'console')) || '')
  if (strip && Number(strip[1]) === innerWidth && Number(strip[2]) < innerHeight / 3) root.style.setProperty('--strip', strip[2] + 'px')
  /* zod compiles parsers with eval where it may; the policy forbids it, so it should not try. */
  window.__zod_globalConfig = { jitless: true }
})()
