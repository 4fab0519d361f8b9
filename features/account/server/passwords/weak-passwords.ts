import { fail } from '#platform/shared/errors.ts'
import { parseWirePhone } from '../../phone.ts'

/**
 * Passwords that attackers try first, in lower case. The first list holds only those of 8 or more characters, because shorter ones are
 * rejected anyway; the second holds base words that people extend with digits ("Password2024!"), covered by one rule.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
password password1 password12 password123 passw0rd p@ssword p@ssw0rd p@55w0rd passwort passwords mypassword pass1234 pass12345
12345678 123456789 1234567890 0123456789 987654321 9876543210 87654321 11111111 111111111 1111111111 00000000 000000000 0000000000
22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999 888888888 666666666 999999999 12341234 12121212 11223344
12344321 123454321 1234554321 1122334455 123321123 123123123 321321321 147258369 147852369 159357258 159753159 789456123 741852963
963852741 10203040 01020304 12301230 13131313 14141414 20202020 21212121 23232323 25252525 31415926 314159265 10101010 11112222
12345678910 123456789a 123456789q 123456789z 123456789abc 12345678a 12345678q a12345678 a123456789 a1234567 aa123456 aa12345678
aaa111111 aa123123 abc12345 abc123456 abc123456789 abcd1234 abcd12345 abc123abc abcdefgh abcdefghi abcdefg1 1234abcd 123456abc 123456ab
123abc123 123456aa 123456qq 123456qwe 1234567a 1234qwer qwer1234 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop
qwertyuiop123 qwertyu1 qwerasdf qwerasdfzxcv qweasdzxc qweasd123 qweqweqwe qwe123qwe 123qweasd 123qweasdzxc qwe123456 asdfghjk
asdfghjkl asdf1234 asdfasdf asdasdasd asd123456 asd123asd zxcvbnm1 zxcvbnm123 zxcvzxcv zxcasdqwe zaq12wsx zaq1zaq1 zaqwsxcde zaq1xsw2
1qaz2wsx 1qazxsw2 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qazzaq1 2wsx3edc qazwsx123 qazwsxedc qazxswedc qazqazqaz q1w2e3r4
q1w2e3r4t5 !qaz2wsx 1qaz@wsx 1qaz!qaz !qaz@wsx zse45rdx xsw2zaq1 a1b2c3d4 a1s2d3f4 aq1sw2de3 poiuytrewq mnbvcxz1 lkjhgfds
5201314a a5201314 5201314520 52013145 woaini1314 woaini520 woaini521 woaini123 woaini5201314 woaiwojia woaizhongguo iloveyou iloveyou1
iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveu123 iloveyou3 iloveyou7 iloveme1 ilovegod loveyou1 loveyou123 loveme123 lovelove
13145200 1314520520 520131400 52052052 520520520 5211314a 15201314 110110110 110120119 119119119 12580125 10086100 10001000 11001100
0987654321 09876543 098765432 18181818 16881688 168168168 518518518 88889999 66668888 88886666 99998888 55556666 77778888 11118888
wang1234 wang123456 zhang123 zhang123456 li123456 liu123456 chen1234 yang1234 zhao1234 huang123 qq123456 qq123123 qq123456789
q123456789 q1234567 w123456789 w1234567 z123456789 z1234567 s1234567 x1234567 c1234567 d1234567 l123456789 l1234567 qwe12345 asd12345
zxc12345 zxc123456 woshishui woshinidie woshitiancai nishizhu nihao123 caonima1 wocaonima caonima123 woxiangni woaimama woaibaba
wodemima xiaoxiao tiantian meimei12 dongdong feifei12 mingming jingjing lingling yangyang tingting huanhuan longlong chuanchuan
admin123 admin1234 admin12345 admin123456 admin@123 adminadmin administrator admin888 admin2024 admin2025 root1234 root123456 rootroot
toor1234 test1234 test12345 test123456 testtest testing1 testing123 tester123 guest123 guest1234 user1234 user12345 demo1234 demo12345
welcome1 welcome12 welcome123 welcome1! letmein1 letmein123 letmein! letmein12 changeme changeme1 changeme123 default1 default123
secret123 secret12 supersecret topsecret access14 access123 temp1234 temppass temporary login123 master12 master123 superman superman1
superman12 batman12 batman123 spiderman spiderman1 starwars starwars1 pokemon1 pokemon12 pokemon123 charizard pikachu1 naruto123
dragon12 dragon123 dragonball dragonballz monkey12 monkey123 shadow12 shadow123 sunshine sunshine1 sunshine12 princess princess1
princess12 princess123 princesa football football1 football12 baseball baseball1 basketball softball volleyball hockey12 soccer12
soccer123 liverpool liverpool1 chelsea1 chelsea123 arsenal1 arsenal123 barcelona barcelona1 manchester manutd12 juventus realmadrid
ronaldo7 ronaldo123 cristiano messi123 internet internet1 computer computer1 computer123 samsung1 samsung123 iphone123 nintendo
playstation microsoft google123 facebook facebook1 twitter1 linkedin instagram whatsapp youtube1 minecraft minecraft1 fortnite
counterstrike warcraft worldofwarcraft starcraft callofduty leagueoflegends overwatch metallica slipknot nirvana1 greenday blink182
linkinpark eminem123 michael1 michael12 michael123 jennifer jennifer1 jessica1 jessica123 christopher christian christian1 alexander
alexander1 alexandra alexandru anthony1 anthony123 andrew123 daniel123 daniel12 matthew1 matthew123 jonathan jonathan1 benjamin nicholas
nicholas1 victoria victoria1 elizabeth elizabeth1 isabella samantha samantha1 stephanie patricia veronica veronika valentina valentin
gabriel1 gabriela gabriella fernando fernanda alejandro alejandra sebastian francisco cristina christina caroline carolina catherine
charlotte madison1 brooklyn savannah brittany courtney danielle danielle1 michelle michelle1 melissa1 rebecca1 rachel12 vanessa1
natalie1 natasha1 anastasia ekaterina svetlana nikita123 dmitriy1 vladimir sergey123 andrey123 alexey123 maksim123 123456zz qweqwe123
butterfly butterfly1 chocolate chocolate1 cheese12 cookie123 cookies1 banana12 strawberry blueberry cherries pineapple watermelon
coffee123 pumpkin1 peanut12 popcorn1 lollipop cupcake1 sweetheart sweetie1 darling1 babygirl babygirl1 babygirl12 babyboy1 angel123
angels12 forever1 forever21 friends1 friends12 bestfriend friendship family12 family123 mother12 father12 brother1 sister12 mommy123
daddy123 daddysgirl mylove12 truelove lover123 lovers12 sexy1234 sexygirl sexylady hottie12 playboy1 playgirl gangster gangsta1 badboy12
badgirl1 blackcat whitedog tiger123 tigers12 lionking panther1 panthers eagles12 cowboys1 yankees1 redskins steelers packers1 patriots
broncos1 dolphins lakers24 kobe1234 jordan23 michaeljordan hunter12 hunter123 ranger12 killer12 killer123 assassin warrior1 warriors
gladiator spartan117 spartans predator terminator matrix123 gandalf1 lordoftherings harrypotter hogwarts voldemort dumbledore hermione
startrek enterprise millennium excalibur lancelot camelot1 merlin12 phoenix1 phoenix12 unicorn1 mermaid1 rainbow1 rainbow12 rainbow123
flower12 flowers1 sunflower rosebud1 daisy123 lavender jasmine1 jasmine12 crystal1 diamond1 diamonds emerald1 sapphire platinum goldfish
silver12 yellow12 orange12 purple12 purple123 green123 red12345 blue1234 black123 white123 midnight moonlight starlight sunlight
thunder1 lightning hurricane tornado1 blizzard snowball snowflake snowman1 summer12 summer123 winter12 winter123 spring12 autumn12
january1 february september september1 october1 november november1 december december1 monday12 friday12 friday13 saturday birthday
birthday1 christmas christmas1 halloween valentine newyork1 newyork123 california hollywood losangeles sanfrancisco washington florida1
texas123 arizona1 colorado michigan carolina1 virginia alabama1 georgia1 montana1 nevada12 america1 american england1 scotland ireland1
australia canada12 germany1 deutschland france12 italia12 espana12 portugal brazil12 brasil123 argentina mexico12 colombia turkiye1
istanbul galatasaray fenerbahce besiktas pakistan pakistan1 pakistan123 india123 indian12 bangladesh indonesia malaysia singapore
philippines thailand vietnam1 hongkong hongkong1 shanghai shanghai1 beijing1 beijing2008 guangzhou shenzhen chongqing chengdu1 nanjing1
zhongguo zhonghua zhongguo1 china123 china1234 taiwan12 tokyo123 samurai1 sakura12 hellokitty doraemon kimochi1 qwaszx12
whatever whatever1 whatever12 nothing1 something everything anything nobody12 somebody trustno1 trustnoone iamgod12 jesus123 jesus777
jesuschrist jesuslove jesusislord godisgood godislove godbless blessed1 heaven12 faith123 gracias1 hallelujah allahuakbar bismillah
muhammad mohammed mohamed1 abdullah rahasia1 sayang123 bismillah1 holyshit fuckyou1 fuckyou2 fuckyou123 fuckyou! fuckoff1 fuckme12
fuck1234 asshole1 asshole12 bullshit bullshit1 motherfucker bitch123 bitches1 shithead dickhead cocksucker pussy123 blowjob1 pornhub1
scooter1 bigdaddy bigdick1 bigboobs bollocks mustang1 mustang12 corvette corvette1 camaro12 ferrari1 lamborghini porsche1 porsche911
mercedes mercedes1 maserati bmw12345 audi1234 toyota12 honda123 yamaha12 kawasaki suzuki12 harley12 harleydavidson volkswagen chevrolet
chevy123 dodgeram silverado ford1234 buster12 buddy123 bailey12 charlie1 charlie12 charlie123 maggie12 molly123 max12345 rocky123
lucky123 lucky777 shadow123 ginger12 pepper12 oliver12 oscar123 sammy123 sparky12 tucker12 snoopy12 garfield garfield1 scoobydoo
mickey12 mickeymouse minnie12 donaldduck bugsbunny tweety12 tinkerbell cinderella ladybug1 simpsons homersimpson southpark spongebob
spongebob1 patrick1 squidward 1password onepassword password! password1! password01 password99 password2 password11 passpass passport
pass@123 pass@word1 p@ssw0rd1 p@ssw0rd123 p@ssword1 pa$$w0rd pa55word passw0rd1 passw0rd! qwerty1! qwerty!@ q1w2e3r4! 1q2w3e4r! abc@1234
abc@123456 abcd@1234 test@123 admin@1234 india@123 welcome@123 hello123 hello1234 hello12345 hellohello helloworld hello2u2 goodbye1
goodluck goodmorning goodgirl goodboy1 testpass trustme1 opensesame sesame12 p0o9i8u7 0okm9ijn 1a2b3c4d 1a2s3d4f 1z2x3c4v 123qwe123
123qwe456 12qwaszx 12qw34er 12345qwert 12345qwe 12345abc 123456789qwe 1029384756 102030405060 5150van5 8675309a 7777777a 4815162342
369258147 258456258 456456456 456789123 654321654 753951852 357159258 852456852 951753852 112233445566 111222333 111222tianya
tianya123 1111aaaa aaaa1111 aaaaaaaa aaaaaa1a bbbbbbbb zzzzzzzz xxxxxxxx qqqqqqqq wwwwwwww ssssssss dddddddd ffffffff 1234567q 1234567qq
qwert12345 qwert123 asdfg123 asdfg12345 zxcvb123 zxcvb12345 zxcv1234 zxcvbnm, asdfjkl; jkluio789 iop890jkl love1234 love12345 love123456
lovely12 nicole12 ashley12 hannah12 thomas12 george12 robert12 william1 jordan12 justin12 brandon1 austin12 taylor12 amanda12 amanda123
`
    .trim()
    .split(/\s+/),
)

export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
password passwort passwd passcode pass mima mypassword letmein welcome hello admin administrator root toor test tester testing guest user
demo login master secret access default changeme temp manager service server system oracle mysql postgres cisco juniper ubuntu debian
windows linux android iphone apple google baidu tencent alibaba taobao alipay wechat weixin weibo bilibili douyin huawei xiaomi lenovo
chatgpt openai claude gemini mingxi mingxiapp qwerty qwertyui qwertyuiop qwert asdf asdfg asdfgh asdfghjkl zxcv zxcvb zxcvbn zxcvbnm
qazwsx qazwsxedc abc abcd abcde abcdef abcdefg abcdefgh xyz love lover lovely iloveyou iloveu loveyou loveme baby babygirl angel princess
prince queen king sunshine shadow dragon monkey tiger lion eagle wolf bear panda rabbit kitty cat dog puppy horse fish dolphin butterfly
football soccer baseball basketball hockey tennis golf swimming chelsea arsenal liverpool barcelona realmadrid juventus milan messi
ronaldo jordan kobe lebron lakers yankees cowboys steelers superman batman spiderman ironman hulk thor captain avengers starwars jedi
yoda vader matrix neo trinity gandalf frodo hobbit harry potter hogwarts pokemon pikachu naruto sasuke goku vegeta luffy onepiece zelda
mario sonic minecraft fortnite roblox dota warcraft diablo starcraft overwatch counter michael jennifer jessica ashley amanda daniel
david john james robert william thomas charles joseph matthew andrew joshua christopher anthony ryan justin brandon nicholas tyler
jonathan kevin brian jason eric adam steven timothy richard jeffrey george edward peter paul mark donald kenneth maria mary linda susan
karen lisa nancy betty helen sandra donna carol ruth sharon michelle laura sarah kimberly deborah emily emma olivia sophia isabella
charlotte mia hannah samantha elizabeth victoria natalie rachel rebecca megan lauren kayla alexis taylor madison nicole stephanie melissa
heather amber tiffany crystal brittany danielle vanessa alexandra natasha anna julia sofia camila valentina maria carlos juan jose luis
miguel pedro antonio francisco alejandro sergio pablo diego ivan dmitry sergey andrey alexey maxim nikita vladimir natalia olga elena
summer winter spring autumn january february march april june july august september october november december monday tuesday wednesday
thursday friday saturday sunday morning night midnight star moon sun sky ocean sea river mountain fire water earth wind thunder lightning
rainbow snow ice rain storm cloud forest flower rose lily daisy jasmine sakura tree apple banana orange lemon cherry strawberry peach
chocolate cookie candy sugar honey coffee pizza cheese butter pepper ginger red blue green yellow purple black white silver gold golden
diamond platinum crystal money rich lucky happy smile funny crazy cool sexy hot sweet cute beautiful freedom liberty peace hope faith
grace jesus christ god heaven hell devil satan angel church bible allah buddha family mother father brother sister mommy daddy friend
friends forever always never nothing whatever something killer hunter ranger soldier warrior ninja samurai pirate knight wizard merlin
phoenix unicorn vampire zombie ghost death blood evil dark hacker matrix cyber computer internet network keyboard mouse monitor laptop
music guitar piano drums metal rock metallica nirvana slipknot eminem beatles ferrari porsche mercedes bmw audi toyota honda yamaha
mustang corvette camaro harley america american canada england london paris france germany berlin italy rome spain madrid russia moscow
china beijing shanghai guangzhou shenzhen hongkong taiwan taipei tokyo japan korea seoul india indian mumbai delhi brazil mexico texas
california newyork chicago boston miami dallas houston vegas school college student teacher doctor nurse police company office work
woaini woaiwo woaiwojia woaini520 nihao zhongguo zhonghua beijing wangwang zhangsan lisi wangwu laopo laogong baobao baobei qinqin tiantian
xiaoxiao xiaoming xiaohong xiaolong xiaoyu xiaomei xiaobao meimei gege jiejie didi mama baba yeye nainai shuaige meinv tianshi emo
wang zhang liu chen yang huang zhao zhou lin sun guo liang song zheng xie tang deng feng jiang wangwei wangfang zhangwei liwei lina
zhangmin lijing wangjing liyang liqiang zhanglei wanglei liuyang caonima nima shabi woshini woshishui nishishui buzhidao wozhidao
aini aiwo yongyuan kuaile xingfu pengyou jintian mingtian zhuzhu gougou maomao longlong feifei fuck fuckyou shit bitch asshole pussy dick
`
    .trim()
    .split(/\s+/),
)

export type PasswordWeakness = 'common' | 'pattern' | 'personal'

/**
 * Throws PASSWORD_WEAK for a password that an attacker tries first (money.md A9, ASVS 6.2.4). `contacts`: e-mail keys and E.164 numbers.
 */
export function requireStrongPassword(password: string, contacts: readonly string[]): void {
  const reason = findPasswordWeakness(password, contacts)
  if (reason) fail('PASSWORD_WEAK', { reason })
}

export function findPasswordWeakness(password: string, contacts: readonly string[]): PasswordWeakness | undefined {
  const text = password.toLowerCase()
  if (COMMON_PASSWORDS.has(text) || isDecoratedWord(text, COMMON_WORDS)) return 'common'
  if (isPattern(text)) return 'pattern'
  return contacts.some((contact) => containsContact(text, contact)) ? 'personal' : undefined
}

function containsContact(text: string, contact: string): boolean {
  const phone = parseWirePhone(contact)
  if (phone) return text.includes(phone.national)
  const [local = '', domain = ''] = contact.split('@')
  const own = new Set([contact, local, local.replace(/\W/g, ''), ...local.split(/[^a-z]+/), domain.split('.')[0]!].filter((part) => part.length >= 4))
  return text.includes(contact) || isDecoratedWord(text, own)
}

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', '$': 's', '!': 'i' }
const MAX_DECORATION = 6

/** Matches a word (once or twice, in capitals, in leet) with up to six characters or a plain sequence of digits around it. */
function isDecoratedWord(text: string, words: ReadonlySet<string>): boolean {
  const bare = (word: string) => words.has(word) || (words.has(word.slice(0, word.length / 2)) && word.slice(0, word.length / 2).repeat(2) === word)
  const [, before = '', core = '', after = ''] = /^([^a-z]*)(.*?)([^a-z]*)$/s.exec(text) ?? []
  if (bare(core) && (before.length + after.length <= MAX_DECORATION || isPattern(before + after))) return true
  for (let cut = 0; cut <= Math.min(MAX_DECORATION, after.length); cut++) {
    if (bare(text.slice(0, text.length - cut).replace(/[0134578@$!]/g, (char) => LEET[char] ?? char))) return true
  }
  return false
}

const FORWARD = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  '!@#$%^&*()',
  '~!@#$%^&*()_+',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!qaz@wsx#edc$rfv',
  'qweasdzxc',
  '147258369',
  '159357',
  '741852963',
  '789456123',
  '13579',
  '24680',
  'a1b2c3d4e5f6',
  'a1s2d3f4g5h6',
  'azertyuiop',
  'qwertzuiop',
]
const ROWS = FORWARD.flatMap((row) => [row, [...row].reverse().join('')])

/** Matches keyboard or alphabet sequences, repetitions, two distinct characters only, a date, a mobile number. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 2) return true
  if (/^(.{1,4})\1+(.{0,3})$/s.test(text)) return true
  if (/^(19|20)\d\d[-./]?(0?\d|1[0-2])[-./]?\d{1,2}$|^\d{1,2}[-./]?\d{1,2}[-./]?(19|20)\d\d$/.test(text)) return true
  if (/^1[3-9]\d{9}$/.test(text)) return true
  return countOutsideRows(text) <= 2
}

/** Counts the characters outside runs of at least three neighbours (or three equal ones). */
function countOutsideRows(text: string): number {
  let outside = 0
  for (let at = 0; at < text.length;) {
    let end = at + 1
    while (end < text.length && ROWS.some((row) => row.includes(text.slice(at, end + 1)))) end++
    let same = at + 1
    while (same < text.length && text[same] === text[at]) same++
    const size = Math.max(end, same) - at
    if (size < 3) outside += 1
    at += size < 3 ? 1 : size
  }
  return outside
}
