/* SPDX-License-Identifier: Apache-2.0 */
/* Everyday subjects, and below them what is done to things; a word may belong
 * to several. */
#include "text/lexicon.h"

const char *const wv_subjects[] = {
	"finance financial stock share bond equity dividend "
	"portfolio investment invest investor market trading "
	"trader ticker nasdaq earnings revenue fund etf ipo wealth "
	"broker asset volatility forex commodity",
	"crypto cryptocurrency bitcoin btc ethereum eth token "
	"blockchain nft wallet coin defi web3 dogecoin altcoin",
	"currency exchange dollar usd euro eur yen pound gbp peso "
	"rupee yuan franc convert conversion rate",
	"banking bank loan mortgage credit debit interest deposit "
	"account balance transfer iban",
	"payment pay invoice refund charge billing bill receipt "
	"checkout subscription transaction payout",
	"tax taxes vat deduction irs income payroll salary wage",
	"shopping shop product buy purchase store price discount "
	"deal coupon brand retailer cheap affordable item sale "
	"cart gadget laptop headphone shoe shirt dress furniture "
	"appliance ecommerce",
	"gift present birthday anniversary wedding valentine "
	"christmas",
	"fashion outfit clothes clothing wear dress shirt style "
	"wardrobe shoe jacket",
	"travel trip vacation holiday tourism tourist tour "
	"destination itinerary journey hotel flight attraction "
	"sightseeing visit airbnb hostel resort accommodation",
	"flight airline airport plane airplane depart departure "
	"arrival boarding fly aviation",
	"lodging hotel hostel accommodation airbnb resort motel "
	"room stay",
	"restaurant dining reservation dinner lunch cuisine cafe "
	"bar eat table menu",
	"food recipe cook cooking dish meal ingredient cuisine "
	"dinner lunch breakfast bake baking kitchen dessert pizza "
	"chicken pasta vegetarian vegan grocery",
	"diet calorie nutrition nutrient protein vitamin weight "
	"vegan vegetarian keto healthy meal",
	"fitness workout exercise gym training muscle yoga running "
	"athlete",
	"health medical medicine doctor disease symptom patient "
	"hospital treatment clinical drug diagnosis therapy "
	"vaccine cancer diabetes nurse pharmacy",
	"mental anxiety stress depression therapy meditation "
	"mindfulness emotion mood habit",
	"weather forecast temperature rain snow wind humidity "
	"storm sunny cloud climate precipitation heatwave celsius "
	"hurricane tornado thunderstorm flood umbrella",
	"air pollution smog aqi pollen ozone",
	"news headline article journalist press event breaking "
	"politics election report story",
	"politics political election parliament government vote "
	"voter policy senator president minister party campaign",
	"law legal lawyer attorney court judge lawsuit statute "
	"contract regulation legislation landlord tenant copyright "
	"patent compliance",
	"job career employment resume cv interview hiring recruit "
	"recruiter vacancy salary candidate employer freelance "
	"talent",
	"housing house home apartment rent rental property real "
	"estate condo villa bedroom mortgage landlord tenant flat "
	"realtor neighborhood lease",
	"education course class lesson learn teach teacher tutor "
	"student school university college degree curriculum exam "
	"lecture study homework training",
	"language translate translation english spanish french "
	"german chinese japanese grammar vocabulary pronunciation "
	"speak linguistic dictionary korean italian russian "
	"portuguese arabic hindi dutch swedish polish turkish greek",
	"writing write essay text paragraph rewrite rephrase "
	"paraphrase grammar proofread blog article copywriting "
	"edit content novel draft",
	"research paper academic scholar study journal publication "
	"arxiv literature scientific citation thesis science",
	"book novel author read reading reader library ebook "
	"fiction literature chapter thriller",
	"movie film cinema tv show series episode watch streaming "
	"netflix actor director documentary trailer drama",
	"music song playlist album artist band lyric concert "
	"melody chord guitar piano track genre jazz hip hop singer "
	"tune",
	"podcast episode audio listen radio show host",
	"audio voice speech sound recording transcribe "
	"transcription speaker tts mp3 narration",
	"video youtube clip film footage tiktok animation "
	"transcript subtitle reel",
	"image photo picture photograph drawing draw illustration "
	"logo graphic art paint icon gif poster visual design "
	"photography meme",
	"art artwork painting museum gallery sculpture artist "
	"paint drawing exhibition",
	"game gaming player play chess puzzle rpg quest steam xbox "
	"playstation nintendo esport trivia adventure riddle",
	"sport football soccer basketball nba nfl baseball tennis "
	"team match league player tournament golf score cricket "
	"olympic",
	"code coding programming developer software python "
	"javascript java programmer script function bug debug "
	"compile library api algorithm snippet",
	"repository github gitlab git repo commit branch pull "
	"merge source fork",
	"database sql query table schema row record postgres mysql "
	"sqlite mongodb",
	"deploy deployment server cloud aws azure kubernetes "
	"docker container cluster devops infrastructure terraform "
	"host hosting",
	"website web webpage site page url link browser html "
	"internet online domain wordpress http",
	"search find lookup query google bing seek browse",
	"seo keyword ranking backlink traffic serp optimization "
	"search google visibility domain",
	"marketing advertisement advertising ad campaign brand "
	"audience conversion promotion sponsor lead sales",
	"social twitter tweet facebook instagram linkedin reddit "
	"post influencer follower hashtag tiktok",
	"email mail gmail inbox message outlook smtp newsletter",
	"message chat slack sms whatsapp telegram text notify "
	"notification conversation channel dm",
	"calendar schedule meeting appointment event reminder "
	"agenda booking availability",
	"task todo project ticket issue jira kanban sprint "
	"deadline backlog milestone productivity",
	"note notebook memo journal diary notion",
	"document pdf docx file page report word ppt summarize "
	"summary",
	"file folder directory path document upload download copy "
	"delete rename",
	"spreadsheet excel csv sheet cell column row table",
	"data dataset analysis analytics analyze statistics "
	"statistical visualization insight metric dashboard",
	"chart graph diagram plot flowchart visualization "
	"visualize pie bar histogram mindmap timeline sitemap",
	"math calculate calculation calculator equation algebra "
	"calculus geometry arithmetic number integral sum solve "
	"derivative statistics formula",
	"map location nearby route direction navigation gps "
	"address latitude longitude distance near place coordinate",
	"transit train bus subway metro transport transportation "
	"railway ride taxi",
	"car vehicle automobile drive driving truck suv auto motor "
	"ev tesla charging sedan",
	"fuel gas petrol diesel gasoline charging battery",
	"time date clock timezone hour minute timestamp",
	"space nasa planet mars moon astronomy star galaxy rocket "
	"satellite asteroid astronaut telescope",
	"astrology horoscope zodiac tarot aries taurus gemini leo "
	"virgo libra scorpio sagittarius capricorn aquarius pisces",
	"religion bible quran church prayer god verse islam "
	"christian spiritual",
	"plant garden gardening flower seed tree indoor soil",
	"animal pet dog cat veterinary puppy bird wildlife",
	"child kid children toddler baby parent preschool",
	"event ticket concert festival show conference theater "
	"broadway venue performance musical",
	"company business corporation enterprise firm startup ceo "
	"founder industry organization employee",
	"customer client crm support lead contact salesforce "
	"hubspot helpdesk",
	"charity donate donation nonprofit volunteer fundraising",
	"security password vulnerability threat malware hack "
	"encryption attack phishing firewall cve",
	"login password credential authentication authenticate "
	"account user oauth permission access role",
	"log error monitor monitoring alert metric trace incident "
	"outage",
	"memory remember recall store save",
	"ai gpt chatgpt llm agent model prompt neural assistant "
	"chatbot bot",
	"humor joke funny meme laugh comedy pun",
	"story tale fairy storytelling character plot narrative "
	"fiction bedtime",
	"review rating opinion feedback pros cons compare "
	"comparison",
	"history historical ancient century war medieval empire",
	NULL,
};

const char *const wv_actions[] = {
	"create make new add generate build insert open file compose",
	"delete remove drop erase clear discard purge destroy uninstall",
	"list show view display get enumerate browse fetch retrieve see",
	"update change edit modify adjust replace set alter overwrite",
	"send post tell notify share publish reply answer say",
	"stop shut halt kill end terminate cancel deallocate abort",
	"start run launch execute begin trigger invoke",
	"restart reboot rerun retry reload",
	"rename move transfer relocate",
	"save store write put keep backup",
	"copy clone fork duplicate replicate",
	"count size many big large length",
	"read open cat content print",
	"permit permission access allow grant role",
	"join invite add member",
	"find search locate look lookup discover",
	NULL,
};
