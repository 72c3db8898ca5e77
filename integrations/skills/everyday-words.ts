/**
 * Words of everyday English, as `termsOf` returns them. Tasks of any subject contain them, so they say less about the
 * subject than other words do.
 */
export const EVERYDAY: ReadonlySet<string> = /* @__PURE__ */ new Set(
  `able about above across add advice afraid after afternoon again against ago agree air all allow almost alone already
also alway angry another answer any appear apple april area arm army around art ask august autumn baby back bad bag
ball band bank bar beach beat beautiful because become bed beer before begin believe between big bike bird birthday
black blue boat body book boss both bottle bottom box boy bread break breakfast bridge bright bring brother brown
build bus business busy buy cake call camera cancel car card care carry case cat catch chair change cheap child
choose christma church city class clean close cloth clothe club coffee cold color come community company computer
concert consider continue cook cool cost country court cow create crime cry cup cut dance dark daughter day december
decide describe die different dinner dirty discuss doctor dog dollar door down draw dream drink drive drop dry dur
each early earth easy eat education egg empty end engine enjoy enough even every exam expect explain eye face fact
fail fall family far farm fast father february feel few fight film find finish fire first fish fix floor flower fly
follow food foot force forget forgive free friday friend front fruit full funny game garden get gift girl give glass
go god gold good government grandmother great green group grow guess gun guy hair half hand hang happen happy hard
hat head health hear heart heavy help here hide high history hit hold holiday home hope horse hospital hot hotel
hour house hundr hurt husband idea important improve include information inside invite island issue january job join
judge july jump june just keep key kill kind king kitchen knife know lake land large last later laugh law lead learn
least leave left leg less let letter level lie life light like line list little live lock long look lose lot loud
love lunch machine make man many march market may maybe meal mean meat medicine meet member metal middle milk
million minute moment monday money month moon more morn most mother mountain mouth move movie much museum music name
near need neighbour never new next nice night note noth november now number nurse october off offer office often oil
old once one only open order other out outside over own paint paper parent park part party pass pay pen people
person phone photo pick picture piece place plan plane plant plate play please point police poor power president
press price program promise provide pull push put queen question quick quiet quite race radio rain rather reach read
ready reason recommend red remain remember remind rent reply research reserve restaurant result rich ride right
river road room rule run sad safe salt same saturday save say school sea search see seem sell send september serve
service set several shape share sheep ship shoe shop shout show sick side sign silver sing sister sit size sky sleep
slow small smile snow soft some sometime son song soon sorry speak spend sport spr stand star start state stay steal
step still stone stop store story street strong student study such sugar suggest summer sun sunday sure swim system
table take talk tea teach teacher team tell test thank there thing think though thousand three through throw
thursday ticket time today together tomorrow tonight tool tooth top touch town train travel tree trip true try
tuesday turn tv twice two uncle under understand university until up use very village visit voice wait wake walk
wall want war warm wash watch water way weak weather wedd wednesday week weekend well wet while white whole wife win
wind window wine winter wish without woman wonder wood word work worker world worry write wrong year yellow
yesterday young`.split(/[ \n]/),
);
