import { comparisonKey } from '@pulso/platform/text/comparison-key';

/**
 * The passwords that attackers try first, in lower case and with six characters or more (the policy refuses shorter
 * ones anyway): keyboard walks, counted digits, and common words in English and Spanish.
 */
const COMMON_PASSWORDS = new Set(
  `
  123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 012345678 01234567 012345 123123 123123123 12341234
  123321 123454321 1234554321 123456654321 654321 7654321 87654321 987654321 0987654321 9876543210 121212 131313 112233
  11223344 1122334455 223344 332211 445566 778899 147258 147258369 159357 159753 258456 258369 369258 456789 456123
  741852 741852963 789456 789456123 852456 963852741 963852 102030 10203040 101010 111222 111222333 111222333444
  000000 0000000 00000000 000000000 0000000000 111111 1111111 11111111 111111111 1111111111 222222 22222222 333333
  33333333 444444 44444444 555555 5555555 55555555 666666 6666666 66666666 777777 7777777 77777777 888888 88888888
  999999 9999999 99999999 999999999 666999 696969 420420 520520 5201314 1314520 100000 100200 200000 246810
  135790 135791 1234qwer 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 zaq1xsw2
  qazwsx qazwsxedc qazwsx123 qaz123 2wsx3edc 3edc4rfv q1w2e3 q1w2e3r4 q1w2e3r4t5 qwe123 qweasd qweasdzxc qweqwe qwe123qwe
  123qwe 123qweasd 123qwerty 1234qwerty 12345qwert 123asd asd123 asdasd asdf1234 asdfasdf asdfgh asdfghj asdfghjk asdfghjkl
  asdfqwer asdf123 qwert1 qwert123 qwert12345 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
  qwertyu qwertyui qwertyuiop qwertz qwertz123 azerty azerty123 azertyuiop zxcvbn zxcvbnm zxcvbnm123 zxc123 zxczxc poiuyt
  poiuytrewq lkjhgf lkjhgfdsa mnbvcxz mnbvcxz1 abc123 abc1234 abc12345 abc123456 abcabc abcd1234 abcde12345 abcdef
  abcdefg abcdefgh abcdef123 abcdefg1 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456 aa12345678 aaa111
  aaaaaa aaaaaaa aaaaaaaa aaaaaaaaaa aabbcc abcabcabc b123456 q123456 s123456 z123456 x123456 1a2b3c 1a2b3c4d 123abc
  1234abcd 12345a 123456a 1234567a 12345678a 123456789a 123456789q 123456q 123456s 123456z 12345q 12345qwerty
  xxxxxx xxxxxxxx zzzzzz zzzzzzzz ssssss dddddd ffffff qqqqqq qqqqqqqq wwwwww eeeeee

  password password1 password12 password123 password1234 password12345 password123456 password2 password3 password01
  password! password1! password123! passw0rd passw0rd1 p@ssw0rd p@ssword pa55word pa55w0rd pa$$word passpass pass123
  pass1234 pass12345 passwd password0 mypassword newpassword thepassword yourpassword nopassword passphrase passport
  contraseña contrasena contraseña1 contrasena1 contrasena123 clave123 clave1234 miclave micontraseña secreto secret
  secret1 secret123 topsecret letmein letmein1 letmein123 letmeinnow welcome welcome1 welcome12 welcome123 welcome2
  bienvenido bienvenida hello123 hello1234 hellohello helloworld hola123 hola1234 hola12345 holahola holamundo
  admin1 admin12 admin123 admin1234 admin12345 admin123456 administrator adminadmin administrador root123 rootroot toor123
  login1 login123 loginlogin access access14 access123 master master1 master123 default default1 changeme changeme1
  changeme123 change123 temp1234 temp123 temporary testing testing1 testing123 test123 test1234 test12345 test123456
  testtest tester guest123 guest1234 user123 user1234 username username1 demo123 demo1234 example example1 sample123
  system system1 manager manager1 server server1 computer computer1 internet internet1 samsung samsung1 google google1
  google123 facebook facebook1 twitter youtube instagram linkedin microsoft windows windows1 iphone android nokia123

  iloveyou iloveyou1 iloveyou2 iloveyou12 iloveu iloveme ilovegod ilovemom lovely lovely1 loveme loveme1 lovelove loveyou
  love123 love1234 loverboy lover1 mylove truelove teamo123 teamomucho teamo1 teamoteamo teamoo tequiero tequiero1
  tequieromucho amorcito amormio amoramor amor123 amor1234 miamor miamor1 teamomiamor mivida mivida1 corazon corazon1 hermosa hermosa1 bonita
  bonita1 princesa princesa1 princesa123 princess princess1 princess123 reina123 estrella estrella1 mariposa mariposa1 angelito
  sunshine sunshine1 sunflower rainbow rainbow1 butterfly butterfly1 flower flower1 flowers angel123 angel1 angels
  blessed blessed1 blessing heaven heaven1 jesus1 jesus123 jesuscristo jesuschrist dios123 christ christ1 church
  family family1 familia familia1 mother mother1 father father1 mommy1 daddy1 mamapapa papito123 babygirl babygirl1
  baby123 babyboy sweety sweetie sweetheart cutie123 beautiful beautiful1 gorgeous forever forever1 friend friends
  friends1 friendship bestfriend amigos amigos1 amistad happy123 happy1 happiness smiley smile1 cookie cookie1 cookies
  chocolate chocolate1 cheese cheese1 banana banana1 orange orange1 cherry cherry1 strawberry pepper pepper1 ginger ginger1
  sugar123 coffee coffee1 peanut peanut1 pumpkin pumpkin1 cupcake candy123

  michael michael1 michelle michelle1 jessica jessica1 jennifer jennifer1 ashley ashley1 amanda amanda1 daniel daniel1
  daniel123 andrew andrew1 anthony anthony1 joshua joshua1 matthew matthew1 jordan jordan1 jordan23 charlie charlie1
  thomas thomas1 robert robert1 william william1 george george1 nicole nicole1 hannah hannah1 samantha samantha1
  elizabeth elizabeth1 alexander alexander1 alexandra alejandro alejandro1 alejandra alejandra1 fernando fernando1
  fernanda fernanda1 gabriel gabriel1 gabriela gabriela1 santiago santiago1 sebastian sebastian1 valentina valentina1
  roberto roberto1 ricardo ricardo1 eduardo eduardo1 antonio antonio1 francisco francisco1 guadalupe guadalupe1
  carlos carlos1 carlos123 miguel miguel1 mariana mariana1 daniela daniela1 andrea andrea1 camila camila1 sofia123
  maria123 mariajose juan123 jose123 pedro123 luis123 buster buster1 maggie maggie1 bailey bailey1 tigger tigger1
  hunter hunter1 hunter2 killer killer1 shadow shadow1 shadow123 ranger ranger1 harley harley1 jackson jackson1
  austin austin1 dallas dallas1 chelsea chelsea1 madison madison1 taylor taylor1 morgan morgan1 justin justin1 brandon
  brandon1 tyler123 nathan nathan1 oliver oliver1 sophie sophie1 summer summer1 summer123 winter winter1 autumn spring
  spring1 monday monday1 friday friday1 sunday january february october november december diciembre septiembre octubre

  football football1 futbol futbol1 futbol10 soccer soccer1 soccer10 baseball baseball1 basketball basketball1
  hockey hockey1 tennis tennis1 golfer golf123 boxing running runner runner1 swimming fitness fitness1 fitness123 gimnasio
  workout training trainer trainer1 coach123 crossfit yoga123 muscle strong123 power123 health123 champion champion1
  winner winner1 player player1 barcelona barcelona1 realmadrid realmadrid1 madrid123 chivas chivas1 america1
  america123 pumas123 cruzazul liverpool liverpool1 arsenal arsenal1 chelsea123 manchester manutd juventus milan123
  messi10 cristiano ronaldo ronaldo7 ronaldinho neymar mexico mexico1 mexico123 argentina argentina1 colombia colombia1
  espana123 venezuela brasil brazil guatemala peru123 chile123 london london1 newyork newyork1 paris123 california texas1
  lakers lakers1 lakers24 yankees yankees1 cowboys cowboys1 steelers steelers1 eagles eagles1 raiders patriots

  superman superman1 batman batman1 batman123 spiderman spiderman1 ironman1 pokemon pokemon1 pikachu naruto naruto1
  naruto123 starwars starwars1 matrix matrix1 minecraft minecraft1 fortnite fortnite1 roblox roblox123 nintendo
  playstation xbox360 gamer123 zelda123 dragon dragon1 dragon123 dragonball dragonballz phoenix phoenix1 falcon
  falcon1 monkey monkey1 monkey123 monkeys tiger123 tigers tigers1 lion123 eagle1 panther panther1 wolf123 bulldog
  dolphin dolphin1 dolphins elephant unicorn unicorn1 kitten kitty123 puppy123 doggie snoopy snoopy1 mickey mickey1
  hellokitty tinkerbell barbie barbie1 disney disney1 garfield scooby scoobydoo simpsons spongebob freedom freedom1
  liberty libertad trustno1 whatever whatever1 nothing nothing1 something anything blahblah asshole asshole1 fuckyou
  fuckyou1 fuckyou2 fuckoff bitch1 bullshit sexy123 hardcore hottie1 cocacola cocacola1 pepsi123 budweiser corona123
  mustang mustang1 ferrari ferrari1 mercedes porsche corvette camaro yamaha yamaha1 kawasaki suzuki honda123 toyota
  metallica metallica1 nirvana nirvana1 slipknot slipknot1 blink182 eminem eminem1 greenday linkinpark rockstar
  rockstar1 music123 musica musica123 guitar guitar1 guitarra hiphop reggaeton dancer dancer1 purple purple1 yellow
  yellow1 silver silver1 golden golden1 diamond diamond1 blue123 green123 red123 black123 blackie scorpion junior
  junior1 senior soldier warrior warrior1 gangster thunder thunder1 lightning maverick merlin merlin1 wizard
  wizard1 secret12 mustang12 asdfjkl jakarta passme pulso123 pulso1234 pulsopulso
  `
    .trim()
    .split(/\s+/),
);

/** Whether `password`, in any case and width of its letters, is among the most common ones (ACCT-6). */
export function isCommonPassword(password: string): boolean {
  return COMMON_PASSWORDS.has(comparisonKey(password));
}
