/** Indirect requests, one for each skill: most share few words with its description. */
export const HELD = `
csv-total | how much did we spend in total according to expenses.csv
csv-group | revenue per country out of sales.csv
csv-join | enrich the orders file with the customer names from customers.csv
csv-dedupe | some lines appear twice in contacts.csv, clean that up
csv-to-json | I have a csv and need an array of json records
json-repair | the model returned half a JSON object, make it parseable
json-format | this json is all on one line, make it readable
json-diff | which settings were changed between config-old.json and config-new.json
json-path | read the third user's address from this json response
json-schema | what schema describes this JSON payload
date-diff | how long is it from 12 March until Christmas in days
date-add | which day is it six weeks from today
date-parse | the column mixes 1/2/2024, 2024-02-01 and Feb 1st, make the dates uniform
business-days | we need ten work days for delivery, weekends excluded, how many are left
time-zone | the call is at 3 pm New York, when is that in Berlin
unit-length | I am 6 foot 2, what is that in centimetres
unit-weight | how heavy is 12 stone in kg
unit-temperature | the oven should be at 375 F, what is that in Celsius
unit-volume | how many ml are three tablespoons
unit-data | is 4000 MB more than 4 GiB
text-diff | which lines did the editor change between my draft and hers
text-wrap | reflow the commit message so that no line exceeds 72 characters
text-slug | what should the url of the post "Ten Tips & Tricks" look like
text-case | convert these python names to camel case for JavaScript
text-redact | remove personal data such as emails from this support ticket before we share it
extract-emails | whom can I write to? collect the mail addresses on this page
extract-urls | collect all hyperlinks of this page
extract-phones | get the telephone numbers from the signature
extract-dates | on which days are the deadlines mentioned in the agreement
extract-amounts | how much money is mentioned in the offer
stats-mean | typical value of these numbers, the average or the median
stats-spread | how widely are these test scores scattered around the mean
stats-percentile | what latency do 99 percent of the requests stay below
stats-correlation | do temperature and ice cream sales move together
stats-regression | draw a best fit line through the monthly sales
markdown-table | put these numbers in a table for the GitHub issue
markdown-toc | generate an outline of the headings with links for the docs page
markdown-to-html | convert README.md to html for the website
html-to-text | give me only the readable text of this web page source
html-table | get the price list from this web page into rows
url-parse | which utm parameters does this link have
url-encode | make the string "a b&c" safe for a query string
base64 | what does aGVsbG8= decode to
hash-text | give me the sha1 fingerprint of this string
uuid-make | create a unique identifier for each record
currency-convert | what are 99 dollars in yen
interest-compound | how much will my deposit grow to in five years at 3 % interest
loan-payment | what do I pay per month if I borrow 200000 for 25 years
vat-split | price without tax if 119 euros include 19 percent VAT
invoice-check | are the sums on this bill right
iban-check | DE89370400440532013000, is that a real bank account number
card-check | 4111 1111 1111 1111, could this be a real visa card
isbn-check | check the number on the back of this book
ean-check | is 4006381333931 a correct article number for a product
email-check | is the address anna@gmial.com written correctly
sql-format | tidy up this long select statement so one can read it
sql-explain | I do not understand this sql join, what is selected here
sql-params | turn the values in the where clause of the query into bind variables
sql-ddl | which table would I need to store these records in postgres
sql-merge | insert these rows or update them if the id is there already
regex-explain | break down the regex ^(?:a|b)+$ for me
regex-make | I need a pattern that accepts AB-1234 and CD-9876
cron-explain | what does */15 8-18 * * 1-5 mean in a crontab
cron-make | run the backup every night at half past two, what is the crontab entry
glob-match | is src/lib/a.ts included by the pattern src/**/*.ts
log-levels | how many warnings did the server log yesterday
log-slow | which endpoints take longest according to the nginx log
log-errors | what are the most frequent failures in app.log
stack-trace | where in my code did this exception happen
log-sessions | how many visits are in the access log, with a pause of half an hour between them
semver-compare | is version 2.0.0-rc.1 older than 2.0.0
semver-range | may npm install 3.2.1 when ~3.1.0 is requested
changelog-make | summarise the commits since v1.2 for the users
license-detect | find out under which licence this code is published
deps-outdated | which npm packages of ours lag behind
color-convert | rgb(12, 200, 90) as a hex code
color-contrast | can people with poor eyesight read grey on white
color-palette | lighter and darker versions of #336699
image-size | how many pixels wide is this png
svg-minify | make the logo file smaller, it is an svg
geo-distance | how many kilometres is it from Oslo to Madrid as the crow flies
geo-bearing | in which compass direction does the mast lie
geo-box | which rectangle on the map contains all these points
geo-encode | short code for the place at 52.52, 13.40
address-parse | get zip code and city from "Hauptstr. 5, 10115 Berlin"
name-split | first and last names into two columns
name-match | is "Jon Smith" the same customer as "John Smyth"
language-detect | is this comment written in Spanish or Portuguese
readability | is this leaflet easy enough to read for ten year olds
word-count | is my abstract below 250 words
keyword-extract | tag this blog post with its main topics
text-similarity | is this answer nearly the same text as that one
sentiment | are the customers happy according to these reviews
summary-extract | a short version of this report, please
spell-check | are there typos in this email
ics-make | put the workshop on 4 May into a calendar file for Outlook
vcard-make | make a contact file of Anna Berg that phones can import
qr-payload | what must the qr code for the guest wifi contain
password-strength | would a hacker guess the password "Summer2024" quickly
rota-plan | who works which weekend in June, everybody the same number of shifts
`;

/** Tasks that no skill fits, written with them. */
export const HELD_UNRELATED = `
help me write a speech for my sister's wedding
why does my sourdough not rise
translate the contract into Polish
who wrote Pride and Prejudice
the login page shows a blank screen on Safari
book a table for four tonight
add a button that exports the list
how much does a golden retriever eat
tell me about the history of Lisbon
generate a cartoon of our team
set the heating to 21 degrees
add tests for the shopping cart
find a cheap hotel near the airport
what are the side effects of ibuprofen
cancel my gym membership
the build fails with an import error
which laptop should I buy
remind me to water the tomatoes
explain recursion like I am five
write a short story about a lighthouse
scale the cluster to five nodes
play the latest album of Radiohead
how do I get a visa for Japan
compare iPhone and Pixel cameras
rename the class Customer to Client everywhere
give me three ideas for a science project
what is the meaning of this idiom
create a pull request for this branch
plan a trip through Norway
who is on call tonight
move the meeting to Thursday
convert this pdf to a word document
is this contract clause legal
turn off the alarm in the living room
send the report to Maria
write documentation for the billing module
how old is the universe
prepare me for the driving test
recommend a podcast about economics
investigate the memory leak in the worker
`;
